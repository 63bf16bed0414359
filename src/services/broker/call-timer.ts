/** How often something happens and how long it takes, in the words of pcp-broker's status. */

export interface TimerFigures {
  /** For each second, over the last 1, 5 and 15 minutes and since the start. */
  readonly rates: Readonly<Record<'1' | '5' | '15' | 'total', number>>;
  /** Nanoseconds, as all below. */
  readonly mean: number;
  readonly 'std-dev': number;
  readonly percentiles: Readonly<Record<string, number>>;
  readonly largest: number;
  readonly smallest: number;
}

const minutes = ['1', '5', '15'] as const;
const shares = ['0.75', '0.95', '0.99', '0.999', '1.0'] as const;
/** The latest durations, which percentiles are told of. */
const kept = 1024;
const nanosecondsPerMs = 1e6;

export class CallTimer {
  private readonly nowMs: () => number;
  private readonly startedMs: number;
  private readonly durations = new Float64Array(kept);
  private readonly rates: Record<(typeof minutes)[number], number> = { '1': 0, '5': 0, '15': 0 };
  private ratedMs: number;
  private count = 0;

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
    this.startedMs = nowMs();
    this.ratedMs = this.startedMs;
  }

  /** Does the work and notes how long it took. */
  time<T>(work: () => T): T {
    const beganMs = this.nowMs();
    try {
      return work();
    } finally {
      const endedMs = this.nowMs();
      this.durations[this.count % kept] = endedMs - beganMs;
      this.count += 1;
      this.decay(endedMs);
      for (const each of minutes) this.rates[each] += 1 / (Number(each) * 60);
    }
  }

  figures(): TimerFigures {
    const nowMs = this.nowMs();
    this.decay(nowMs);
    const sorted = this.durations.slice(0, Math.min(this.count, kept)).sort();
    const length = Math.max(1, sorted.length);
    const mean = sorted.reduce((sum, ms) => sum + ms, 0) / length;
    const variance = sorted.reduce((sum, ms) => sum + (ms - mean) ** 2, 0) / length;
    const at = (share: number): number =>
      (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0) * nanosecondsPerMs;
    return {
      rates: { ...this.rates, total: (this.count / Math.max(1, nowMs - this.startedMs)) * 1000 },
      mean: mean * nanosecondsPerMs,
      'std-dev': Math.sqrt(variance) * nanosecondsPerMs,
      percentiles: Object.fromEntries(shares.map((share) => [share, at(Number(share))])),
      largest: at(1),
      smallest: at(0),
    };
  }

  /** What happened long ago counts less and less. */
  private decay(nowMs: number): void {
    const passedMs = nowMs - this.ratedMs;
    this.ratedMs = nowMs;
    for (const each of minutes) this.rates[each] *= Math.exp(-passedMs / (Number(each) * 60_000));
  }
}
