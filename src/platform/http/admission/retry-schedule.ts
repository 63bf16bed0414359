/** When clients that were told to retry later should come back. */

/** Clients sleep whole seconds and then have to connect: a client that comes a little early counts as on time. */
const earlyMs = 1000;
/** After this a client is no longer expected: it asked another server, or gave up. */
const lateMs = 60_000;

export interface WantedTurn {
  /** When the admitted requests will have ended. */
  readonly soonestMs: number;
  readonly latestMs: number;
  /** Between two turns. */
  readonly spacingMs: number;
}

export class RetrySchedule {
  private readonly nowMs: () => number;
  /** Times in ms by key, about in their order. */
  private readonly due = new Map<string, number>();
  /** When the last one in line has its turn. */
  private endMs = 0;

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  /** Whether this client was told to retry at about this time. */
  keep(key: string): boolean {
    this.forgetLate();
    const dueMs = this.due.get(key);
    return dueMs !== undefined && dueMs - earlyMs <= this.nowMs();
  }

  /**
   * Puts a client at the end of the line; one that is in it already keeps its turn.
   *
   * @returns the time of its turn; `undefined` where that would be too late: then the line stays as it is, so that those who
   *   come later don't wait for turns that are free
   */
  make(key: string, { latestMs, soonestMs, spacingMs }: WantedTurn): number | undefined {
    const known = this.due.get(key);
    if (known !== undefined) return known;
    const dueMs = Math.max(this.endMs, soonestMs);
    if (dueMs > latestMs) return undefined;
    this.endMs = dueMs + spacingMs;
    this.due.set(key, dueMs);
    return dueMs;
  }

  /** Moves a turn that could not be kept; all others stay. */
  repeat(key: string, dueMs: number): number {
    this.due.delete(key);
    this.due.set(key, dueMs);
    return dueMs;
  }

  forget(key: string): void {
    if (this.due.delete(key) && this.due.size === 0) this.endMs = 0;
  }

  private forgetLate(): void {
    const limitMs = this.nowMs() - lateMs;
    for (const [key, dueMs] of this.due) {
      if (dueMs >= limitMs) return;
      this.forget(key);
    }
  }
}
