/** Who served what module code asked of Ruby: how often, and how long it took. */

/**
 * L0: types that are read without running them; L1: templates and functions whose code is interpreted without a Ruby;
 * L2: a Ruby of the machine; L3: the built-in one.
 */
export type Layer = 'L0' | 'L1' | 'L2' | 'L3';
export type Served = 'function' | 'template' | 'resource type';

export interface LayerTally {
  readonly layer: Layer;
  readonly served: Served;
  readonly count: number;
  /** Without what was called from there and is counted itself. */
  readonly selfMs: number;
}

interface Tally extends LayerTally {
  count: number;
  selfMs: number;
}

export class LayerTimes {
  private readonly now: () => number;
  private tallies = new Map<string, Tally>();
  /** How much of each measurement that is under way belongs to others within it. */
  private readonly within: number[] = [];

  /** @param now - milliseconds, with fractions */
  constructor(now: () => number) {
    this.now = now;
  }

  /**
   * @param layerOf - asked when the work is done, also when it has failed; `undefined` for what does not count:
   * another layer takes over
   */
  measure<T>(served: Served, layerOf: (result: T | undefined) => Layer | undefined, work: () => T): T {
    const began = this.now();
    this.within.push(0);
    let result: T | undefined;
    try {
      result = work();
      return result;
    } finally {
      const tookMs = this.now() - began;
      const innerMs = this.within.pop() ?? 0;
      const layer = layerOf(result);
      if (layer === undefined) this.passOn(innerMs);
      else {
        this.passOn(tookMs);
        const tally = this.tallyOf(layer, served);
        tally.count += 1;
        tally.selfMs += tookMs - innerMs;
      }
    }
  }

  /** What has been counted since the last time. */
  take(): readonly LayerTally[] {
    const taken = [...this.tallies.values()];
    if (taken.length > 0) this.tallies = new Map();
    return taken;
  }

  private passOn(milliseconds: number): void {
    const last = this.within.length - 1;
    if (last >= 0) this.within[last] = (this.within[last] ?? 0) + milliseconds;
  }

  private tallyOf(layer: Layer, served: Served): Tally {
    const key = `${layer} ${served}`;
    let tally = this.tallies.get(key);
    if (tally === undefined) {
      tally = { layer, served, count: 0, selfMs: 0 };
      this.tallies.set(key, tally);
    }
    return tally;
  }
}
