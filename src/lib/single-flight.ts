/** One run of some work that several callers share; it is aborted when the last of them gives up. */

export class SingleFlight<T> {
  private readonly controller = new AbortController();
  private readonly result: Promise<T>;
  private waiting = 0;
  private isSettled = false;

  /** @param work - begun at once; its signal is aborted when no caller waits any longer */
  constructor(work: (signal: AbortSignal) => Promise<T>) {
    const settle = () => {
      this.isSettled = true;
    };
    this.result = work(this.controller.signal);
    this.result.then(settle, settle);
  }

  /** Whether all callers gave up before it ended; a new caller has to start a new run. */
  get isAbandoned(): boolean {
    return this.controller.signal.aborted;
  }

  /** Resolves or rejects as the work does, or rejects with the reason of the caller's signal. */
  async join(signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const { promise: givenUp, reject } = Promise.withResolvers<never>();
    const giveUp = () => reject(signal.reason as Error);
    signal.addEventListener('abort', giveUp, { once: true });
    this.waiting += 1;
    try {
      return await Promise.race([this.result, givenUp]);
    } finally {
      signal.removeEventListener('abort', giveUp);
      this.waiting -= 1;
      if (this.waiting === 0 && !this.isSettled) this.controller.abort();
    }
  }
}
