/** Runs asynchronous work that shares a key one after another; what shares none runs at the same time. */

export class KeyedQueue {
  /** The end of the last work for each key. */
  private readonly tails = new Map<string, Promise<void>>();

  /** Waits for all earlier work on any of `keys`. Resolves or rejects as `work` does. */
  run<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const earlier = keys.flatMap((key) => this.tails.get(key) ?? []);
    const result = earlier.length === 0 ? work() : Promise.all(earlier).then(work);
    const tail = result.then(ignore, ignore);
    for (const key of keys) this.tails.set(key, tail);
    void tail.then(() => this.forget(keys, tail));
    return result;
  }

  /** Resolves when all that was handed in so far has ended. */
  async idle(): Promise<void> {
    await Promise.all(this.tails.values());
  }

  private forget(keys: readonly string[], tail: Promise<void>): void {
    for (const key of keys) if (this.tails.get(key) === tail) this.tails.delete(key);
  }
}

function ignore(): void {
  // the caller of `run` has the rejection; the queue only goes on
}
