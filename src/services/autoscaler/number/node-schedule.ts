/** Predicts the next run of each node from its earlier runs: agents keep their time of day. */

/** Gaps between runs that are remembered. */
const gapsKept = 4;
/** A gap of the same agent differs by the time that its facts and plugins take. */
const gapTolerance = 0.1;
/** A gap that differs by less does not change the period. */
const sameGap = 0.001;
/** A shorter gap is a run that someone started by hand. */
const leastGapMs = 60_000;
/** For nodes of which no period is known yet. */
const assumedPeriodMs = 30 * 60_000;
/** A node that missed this many runs is no longer expected. */
const missedRuns = 2.5;
/** About the last hundred runs count for the mean, and the last fifty for a change. */
const meanWeight = 0.01;
const changeWeight = 0.02;
/** More is another catalog. */
const mostChange = 20;
const forgetAfterMs = 24 * 60 * 60_000;
const firstCapacity = 256;

/** @typeParam Node - what names a node */
export class NodeSchedule<Node = string> {
  private readonly indexes = new Map<Node, number>();
  /** Of the last run that was in time; the unit is ms. */
  private last = new Float64Array(firstCapacity);
  private gaps = new Float32Array(firstCapacity * gapsKept);
  private gapCounts = new Uint32Array(firstCapacity);
  /** 0 while a node has no steady period. */
  private periods = new Float64Array(firstCapacity);
  private costs = new Float32Array(firstCapacity);
  private meanSeconds = 0;
  /** The recent cost of catalogs relative to the earlier cost: a deploy changes it for all nodes. */
  private change = 1;

  /** Worker-seconds of a catalog; 0 before the first. */
  get meanCost(): number {
    return this.meanSeconds;
  }
  get size(): number {
    return this.indexes.size;
  }

  /** Worker-seconds that the node's next run will take: those of its last, changed as those of others were. */
  costOf(node: Node): number {
    const index = this.indexes.get(node);
    return index === undefined ? this.meanSeconds : (this.costs[index] ?? 0) * this.change;
  }

  /** The node ran. @param arrivedMs - when its request arrived for the first time */
  note(node: Node, arrivedMs: number, workerSeconds: number): void {
    if (this.meanSeconds === 0) this.meanSeconds = workerSeconds;
    this.meanSeconds += meanWeight * (workerSeconds - this.meanSeconds);
    const known = this.indexes.get(node);
    if (known !== undefined) this.noteChange(workerSeconds / (this.costs[known] ?? 0));
    const index = known ?? this.add(node, arrivedMs);
    this.costs[index] = workerSeconds;
    if (known !== undefined) this.noteGap(index, arrivedMs);
  }

  /**
   * The work that is due, in bins of `binMs` from `fromMs` on, in worker-seconds. Nodes without a steady period are spread evenly.
   *
   * @param nowMs - runs that were due before and did not come are expected a period later
   */
  forecast(nowMs: number, fromMs: number, bins: number, binMs: number): Float64Array {
    const due = new Float64Array(bins);
    const endMs = fromMs + bins * binMs;
    let background = 0;
    for (let index = 0; index < this.indexes.size; index++) {
      const last = this.last[index] ?? 0;
      const cost = this.costs[index] ?? 0;
      const period = this.periods[index] ?? 0;
      const usual = period === 0 ? assumedPeriodMs : period;
      if (nowMs - last > missedRuns * usual) continue;
      if (period === 0) background += cost / usual;
      else
        for (let at = nextDue(last, period, Math.max(fromMs, nowMs)); at < endMs; at += period) {
          const bin = Math.floor((at - fromMs) / binMs);
          due[bin] = (due[bin] ?? 0) + cost;
        }
    }
    return due.map((seconds) => seconds + background * binMs);
  }

  /** Forgets nodes that have not run for a day. */
  prune(nowMs: number): void {
    let kept = 0;
    for (const [node, index] of [...this.indexes].toSorted((a, b) => a[1] - b[1])) {
      if (nowMs - (this.last[index] ?? 0) > forgetAfterMs) this.indexes.delete(node);
      else this.move(node, index, kept++);
    }
  }

  private noteChange(change: number): void {
    if (change > 0 && change < mostChange) this.change += changeWeight * (change - this.change);
  }

  private noteGap(index: number, arrivedMs: number): void {
    const gap = arrivedMs - (this.last[index] ?? 0);
    const period = this.periods[index] ?? 0;
    // An extra run: the agent's own schedule goes on.
    if (gap < leastGapMs || (period > 0 && gap < period / 2)) return;
    this.last[index] = arrivedMs;
    const missed = period === 0 ? 1 : Math.max(1, Math.round(gap / period));
    const isMultiple = missed > 1 && Math.abs(gap / missed - period) <= gapTolerance * period;
    const count = this.gapCounts[index] ?? 0;
    this.gaps[index * gapsKept + (count % gapsKept)] = isMultiple ? gap / missed : gap;
    this.gapCounts[index] = count + 1;
    if (Math.abs(gap - period) > sameGap * period) this.periods[index] = this.periodOf(index);
  }

  /** The median gap when all but one of four gaps are about the same, or both of two; otherwise 0. */
  private periodOf(index: number): number {
    const count = Math.min(this.gapCounts[index] ?? 0, gapsKept);
    if (count < 2) return 0;
    const gaps = this.gaps.slice(index * gapsKept, index * gapsKept + count).toSorted();
    const middle = gaps[Math.floor((count - 1) / 2)] ?? 0;
    const alike = gaps.filter((gap) => Math.abs(gap - middle) <= gapTolerance * middle).length;
    return alike >= (count === gapsKept ? gapsKept - 1 : count) ? middle : 0;
  }

  private add(node: Node, arrivedMs: number): number {
    const index = this.indexes.size;
    if (index === this.last.length) this.grow();
    this.indexes.set(node, index);
    this.last[index] = arrivedMs;
    this.gapCounts[index] = 0;
    this.periods[index] = 0;
    return index;
  }

  private move(node: Node, from: number, to: number): void {
    this.indexes.set(node, to);
    for (const values of [this.last, this.gapCounts, this.periods, this.costs])
      values[to] = values[from] ?? 0;
    this.gaps.copyWithin(to * gapsKept, from * gapsKept, (from + 1) * gapsKept);
  }

  private grow(): void {
    const capacity = this.last.length * 2;
    this.last = enlarged(this.last, new Float64Array(capacity));
    this.gaps = enlarged(this.gaps, new Float32Array(capacity * gapsKept));
    this.gapCounts = enlarged(this.gapCounts, new Uint32Array(capacity));
    this.periods = enlarged(this.periods, new Float64Array(capacity));
    this.costs = enlarged(this.costs, new Float32Array(capacity));
  }
}

function nextDue(last: number, period: number, fromMs: number): number {
  return last + Math.max(1, Math.ceil((fromMs - last) / period)) * period;
}

function enlarged<T extends Float64Array | Float32Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
