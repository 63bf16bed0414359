import { formatTime } from '../formats/strftime.ts';
import type { Float, IntegerValue } from '../value.ts';
import { secondsToNanoseconds, TimeValue } from './time-value.ts';

/** A point in time. */
export class TimestampValue extends TimeValue {
  static fromSeconds(seconds: IntegerValue | Float): TimestampValue {
    return new TimestampValue(secondsToNanoseconds(seconds));
  }
  /** @param milliseconds - since the epoch */
  static fromMilliseconds(milliseconds: number): TimestampValue {
    return new TimestampValue(BigInt(Math.trunc(milliseconds)) * 1_000_000n);
  }

  /**
   * As Ruby's `strftime`.
   *
   * @param offsetSeconds - east of UTC
   */
  format(format: string, offsetSeconds = 0): string {
    return formatTime(format, this.nanoseconds, offsetSeconds);
  }
  override toString(): string {
    return this.format('%FT%T.%N %Z');
  }
  equalityKey(): string {
    return `Timestamp:${this.nanoseconds}`;
  }
}
