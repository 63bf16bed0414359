/** Where the time of a compile went: by class, defined type, function and lookup. */

export type ProfiledKind = 'class' | 'defined type' | 'node' | 'function' | 'lookup';

export interface ProfileEntry {
  readonly kind: ProfiledKind;
  readonly name: string;
  readonly count: number;
  /** Without what was called from there and is listed itself. */
  readonly selfMs: number;
}

interface Tally {
  readonly kind: ProfiledKind;
  readonly name: string;
  count: number;
  selfMs: number;
}

/** One for each compile that is profiled; the others have none, and pay nothing. */
export class CompileProfile {
  private readonly now: () => number;
  private readonly tallies = new Map<string, Tally>();
  /** Who is running; the last one's time is counted. */
  private readonly running: Tally[] = [];
  private since = 0;

  /** @param now - milliseconds, with fractions */
  constructor(now: () => number) {
    this.now = now;
  }

  measure<T>(kind: ProfiledKind, name: string, work: () => T): T {
    const tally = this.tallyOf(kind, name);
    tally.count += 1;
    this.chargeRunning();
    this.running.push(tally);
    try {
      return work();
    } finally {
      this.chargeRunning();
      this.running.pop();
    }
  }

  /** The most expensive first. */
  entries(): readonly ProfileEntry[] {
    return [...this.tallies.values()].sort((a, b) => b.selfMs - a.selfMs);
  }

  private chargeRunning(): void {
    const now = this.now();
    const tally = this.running.at(-1);
    if (tally !== undefined) tally.selfMs += now - this.since;
    this.since = now;
  }

  private tallyOf(kind: ProfiledKind, name: string): Tally {
    const key = `${kind} ${name}`;
    let tally = this.tallies.get(key);
    if (tally === undefined) {
      tally = { kind, name, count: 0, selfMs: 0 };
      this.tallies.set(key, tally);
    }
    return tally;
  }
}
