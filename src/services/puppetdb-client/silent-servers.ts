/** Servers that accept connections and say nothing: compiles cannot wait for each of them again and again. */

/** How long a server that was silent is left alone. */
const pauseMs = 10_000;

export class SilentServers {
  private readonly nowMs: () => number;
  /** Until when it is not asked. */
  private readonly until = new Map<string, number>();

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  /**
   * Whether a server is asked: once its pause is over, by one request that finds out for all.
   *
   * @param timeoutMs - how long that may take
   */
  isAsked(origin: string, timeoutMs: number): boolean {
    const until = this.until.get(origin);
    if (until === undefined) return true;
    if (this.nowMs() < until) return false;
    this.until.set(origin, this.nowMs() + timeoutMs);
    return true;
  }

  noteTimeout(origin: string): void {
    this.until.set(origin, this.nowMs() + pauseMs);
  }

  /** It has answered, or refused: either costs no time. */
  noteAnswer(origin: string): void {
    this.until.delete(origin);
  }
}
