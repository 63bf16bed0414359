/** How often something happens: counted, and as rates of the last minutes. */

/** Names and numbers as the JMX beans of the reference have them. */
export type BeanAttributes = Readonly<Record<string, unknown>>;

const tickMs = 5000;
/** After so many quiet ticks every rate is nothing. */
const maximumTicks = 2000;

export class Meter {
  private readonly nowMs: () => number;
  private readonly startedMs: number;
  private readonly rates: readonly MovingRate[];
  private tickedMs: number;
  private counted = 0;
  private uncounted = 0;

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
    this.startedMs = nowMs();
    this.tickedMs = this.startedMs;
    this.rates = [1, 5, 15].map((minutes) => new MovingRate(minutes));
  }

  get count(): number {
    return this.counted;
  }

  mark(): void {
    this.tick();
    this.counted++;
    this.uncounted++;
  }

  attributes(): BeanAttributes {
    this.tick();
    const seconds = Math.max(this.nowMs() - this.startedMs, 1) / 1000;
    const [one, five, fifteen] = this.rates.map(({ perSecond }) => perSecond);
    return {
      RateUnit: 'events/second',
      OneMinuteRate: one,
      Count: this.counted,
      FifteenMinuteRate: fifteen,
      FiveMinuteRate: five,
      MeanRate: this.counted / seconds,
    };
  }

  private tick(): void {
    const ticks = Math.floor((this.nowMs() - this.tickedMs) / tickMs);
    if (ticks <= 0) return;
    this.tickedMs += ticks * tickMs;
    for (let tick = 0; tick < Math.min(ticks, maximumTicks); tick++) {
      for (const rate of this.rates) rate.tick(this.uncounted);
      this.uncounted = 0;
    }
  }
}

/** An exponentially weighted moving average, as Unix has of its load. */
class MovingRate {
  private readonly weight: number;
  private isFirst = true;
  perSecond = 0;

  constructor(minutes: number) {
    this.weight = 1 - Math.exp(-tickMs / 60_000 / minutes);
  }

  tick(count: number): void {
    const rate = (count * 1000) / tickMs;
    this.perSecond = this.isFirst ? rate : this.perSecond + this.weight * (rate - this.perSecond);
    this.isFirst = false;
  }
}
