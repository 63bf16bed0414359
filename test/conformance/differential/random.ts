/** Choices that are the same for the same seed. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** From 0 to below `limit`. */
  below(limit: number): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    // The lower bits of such a generator repeat soon.
    return Math.floor((this.state / 2 ** 32) * limit);
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('nothing to choose from');
    return item;
  }

  /** From `least` to `most` of them. */
  some<T>(least: number, most: number, make: () => T): T[] {
    return Array.from({ length: least + this.below(most - least + 1) }, make);
  }

  /** True so many times of a hundred. */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }
}
