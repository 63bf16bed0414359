/** Worker-seconds by the time at which their requests arrived, in bins. */

export interface WorkBinsOptions {
  /** How many minutes the rate is the median of. */
  readonly minutes: number;
  /** The time of the first bin. */
  readonly startMs: number;
}

const minuteMs = 60_000;
/** What `minutesOf` adds up. */
const binsInMinute = 2;
const binMs = minuteMs / binsInMinute;
/** Extra bins beyond those of the median, for runs that are reported late. */
const spareBins = 2 * binsInMinute;
/** A crowd of two minutes leaves one of these empty, wherever it begins. */
const lastingBins = 6;
/** Of the mean. Load that lasts varies by chance, the more the fewer requests there are: its least bin shows too little. */
const evenShare = 0.5;
/** A multiple of the median. Smaller growth may be chance, for which no server is added. */
const clearGrowth = 1.25;

export class WorkBins {
  private readonly options: WorkBinsOptions;
  private readonly sums: Float64Array;
  private readonly first: number;
  private newest: number;

  constructor(options: WorkBinsOptions) {
    this.options = options;
    this.sums = new Float64Array(options.minutes * binsInMinute + spareBins);
    this.first = Math.floor(options.startMs / binMs);
    this.newest = this.first;
  }

  /** Work that arrived too long ago is ignored. */
  add(atMs: number, workerSeconds: number): void {
    const bin = Math.floor(atMs / binMs);
    this.advance(bin);
    if (bin <= this.newest - this.sums.length || bin < this.first) return;
    this.sums[bin % this.sums.length] = this.at(bin) + workerSeconds;
  }

  /**
   * The median of the minutes that are complete, so that a short crowd does not count as lasting load; or what the last six half
   * minutes show, where that is more: their mean if it is clearly more and none has less than half of it, or else the least of them.
   *
   * @returns worker-seconds per second; 0 before the first minute is complete
   */
  rate(nowMs: number): number {
    const current = Math.floor(nowMs / binMs);
    this.advance(current);
    // The first bin began before this was here.
    const from = Math.max(current - this.options.minutes * binsInMinute, this.first + 1);
    const complete: number[] = [];
    for (let bin = from; bin < current; bin++) complete.push(this.at(bin));
    const usual = median(minutesOf(complete));
    const latest = complete.slice(-lastingBins);
    const lasting = latest.length < lastingBins ? 0 : lastingOf(latest, usual / binsInMinute) * binsInMinute;
    return Math.max(usual, lasting) / (minuteMs / 1000);
  }

  private at(bin: number): number {
    return this.sums[bin % this.sums.length] ?? 0;
  }

  private advance(bin: number): void {
    for (let next = Math.max(this.newest + 1, bin - this.sums.length + 1); next <= bin; next++)
      this.sums[next % this.sums.length] = 0;
    this.newest = Math.max(this.newest, bin);
  }
}

function lastingOf(bins: readonly number[], usual: number): number {
  const least = Math.min(...bins);
  const mean = bins.reduce((total, each) => total + each, 0) / bins.length;
  return mean >= clearGrowth * usual && least >= evenShare * mean ? mean : least;
}

/** Sums of whole minutes, the last one ending with the last bin. */
function minutesOf(bins: readonly number[]): readonly number[] {
  const minutes: number[] = [];
  for (let end = bins.length; end >= binsInMinute; end -= binsInMinute)
    minutes.push((bins[end - 1] ?? 0) + (bins[end - 2] ?? 0));
  return minutes;
}

/** @returns 0 without values; the lower one of the two in the middle for an even number */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;
}
