import { TimespanFormat } from '../formats/timespan-format.ts';
import type { Float, IntegerValue } from '../value.ts';
import { secondsToNanoseconds, TimeValue } from './time-value.ts';

export interface TimespanFields {
  readonly isNegative?: boolean;
  readonly days?: number | bigint;
  readonly hours?: number | bigint;
  readonly minutes?: number | bigint;
  readonly seconds?: number | bigint;
  readonly milliseconds?: number | bigint;
  readonly microseconds?: number | bigint;
  readonly nanoseconds?: number | bigint;
}

/** A length of time. */
export class TimespanValue extends TimeValue {
  private readonly keepsZeros: boolean;

  /** @param keepsZeros - how the reference prints what it holds as a Float: with the zeros at the end of the fraction */
  constructor(nanoseconds: bigint, keepsZeros = false) {
    super(nanoseconds);
    this.keepsZeros = keepsZeros;
  }

  static fromSeconds(seconds: IntegerValue | Float): TimespanValue {
    return new TimespanValue(secondsToNanoseconds(seconds));
  }

  static fromFields(fields: TimespanFields): TimespanValue {
    const amount = (value: number | bigint | undefined): bigint => BigInt(value ?? 0);
    const minutes = (amount(fields.days) * 24n + amount(fields.hours)) * 60n + amount(fields.minutes);
    const milliseconds = (minutes * 60n + amount(fields.seconds)) * 1000n + amount(fields.milliseconds);
    const total = (milliseconds * 1000n + amount(fields.microseconds)) * 1000n + amount(fields.nanoseconds);
    return new TimespanValue(fields.isNegative === true ? -total : total);
  }

  /** @throws PuppetError when the format is wrong */
  format(format: string): string {
    return TimespanFormat.parse(format).render(this.nanoseconds, this.keepsZeros);
  }
  override toString(): string {
    return this.format('%D-%H:%M:%S.%-N');
  }
  equalityKey(): string {
    return `Timespan:${this.nanoseconds}`;
  }
}
