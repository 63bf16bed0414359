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

export class RetrySchedule<Key = string> {
  private readonly nowMs: () => number;
  /** Times in ms by key, about in their order. */
  private readonly due = new Map<Key, number>();
  /** When the last one in line has its turn. */
  private endMs = 0;
  /** The first entry, which is looked at with each request; `undefined` when it has to be looked up. */
  private first: { readonly key: Key; readonly dueMs: number } | undefined;

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  /** Whether this client was told to retry at about this time. */
  keep(key: Key): boolean {
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
  make(key: Key, { latestMs, soonestMs, spacingMs }: WantedTurn): number | undefined {
    const known = this.due.get(key);
    if (known !== undefined) return known;
    const dueMs = Math.max(this.endMs, soonestMs);
    if (dueMs > latestMs) return undefined;
    this.endMs = dueMs + spacingMs;
    this.due.set(key, dueMs);
    return dueMs;
  }

  /** Moves a turn that could not be kept; all others stay. */
  repeat(key: Key, dueMs: number): number {
    if (this.first?.key === key) this.first = undefined;
    this.due.delete(key);
    this.due.set(key, dueMs);
    return dueMs;
  }

  forget(key: Key): void {
    if (this.due.size === 0 || !this.due.delete(key)) return;
    if (this.first?.key === key) this.first = undefined;
    if (this.due.size === 0) this.endMs = 0;
  }

  private forgetLate(): void {
    if (this.due.size === 0) return;
    const limitMs = this.nowMs() - lateMs;
    if (this.first !== undefined && this.first.dueMs >= limitMs) return;
    for (const [key, dueMs] of this.due) {
      this.first = { key, dueMs };
      if (dueMs >= limitMs) return;
      this.forget(key);
    }
  }
}
