/** Runs asynchronous work one after another, in the order in which it was handed in. */

export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve();

  /** Resolves or rejects as `work` does; a failure does not hold up what follows. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work, work);
    this.last = result.catch(ignore);
    return result;
  }
}

function ignore(): void {
  // the caller of `run` has the rejection; the queue only goes on
}
