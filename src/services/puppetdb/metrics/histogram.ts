/** How large or slow things were: quantiles of the latest. */

import { type BeanAttributes, Meter } from './meter.ts';

/** How many of the latest values count. */
const reservoirSize = 1024;

const quantiles = [
  ['50thPercentile', 0.5],
  ['75thPercentile', 0.75],
  ['95thPercentile', 0.95],
  ['98thPercentile', 0.98],
  ['99thPercentile', 0.99],
  ['999thPercentile', 0.999],
] as const;

export class Histogram {
  private readonly values: number[] = [];
  private count = 0;

  add(value: number): void {
    this.values[this.count % reservoirSize] = value;
    this.count++;
  }

  attributes(): BeanAttributes {
    const sorted = this.values.toSorted((a, b) => a - b);
    const mean = sorted.reduce((sum, value) => sum + value, 0) / Math.max(sorted.length, 1);
    const squares = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    const at = (quantile: number): number =>
      sorted[Math.min(sorted.length - 1, Math.floor(quantile * sorted.length))] ?? 0;
    return {
      ...Object.fromEntries(quantiles.map(([name, quantile]) => [name, at(quantile)])),
      Count: this.count,
      Max: sorted.at(-1) ?? 0,
      Mean: mean,
      Min: sorted[0] ?? 0,
      SnapshotSize: sorted.length,
      StdDev: Math.sqrt(squares / Math.max(sorted.length - 1, 1)),
    };
  }
}

/** How long something takes, in milliseconds, and how often it is done. */
export class Timer {
  private readonly times = new Histogram();
  private readonly rate: Meter;

  constructor(nowMs: () => number) {
    this.rate = new Meter(nowMs);
  }

  add(milliseconds: number): void {
    this.rate.mark();
    this.times.add(milliseconds);
  }

  attributes(): BeanAttributes {
    const { SnapshotSize: _, ...times } = this.times.attributes();
    return { ...times, ...this.rate.attributes(), DurationUnit: 'milliseconds' };
  }
}
