/** Timespan and Timestamp, each with a range. */

import { fault } from '../fault.ts';
import { PuppetType } from '../puppet-type.ts';
import type { Value } from '../value.ts';
import { TimespanValue } from '../values/timespan-value.ts';
import { TimestampValue } from '../values/timestamp-value.ts';
import { type Bound, covers, greatest, least, rangeParameters } from './bound.ts';

/** The two ends in nanoseconds, or plus and minus `Infinity`; a number where a Float was given. */
abstract class TimeType extends PuppetType {
  readonly from: Bound;
  readonly to: Bound;
  /** @throws PuppetError when `from` is greater than `to` */
  constructor(from: Bound = -Infinity, to: Bound = Infinity) {
    super();
    if (from > to) {
      throw fault(`'from' must be less or equal to 'to'. Got (${this.print(from)}, ${this.print(to)}`);
    }
    this.from = from;
    this.to = to;
  }
  protected abstract print(bound: Bound): string;
  protected covers(other: TimeType): boolean {
    return covers(this.from, this.to, other.from, other.to);
  }
  protected overlaps(other: TimeType): boolean {
    return !(this.to < other.from || other.to < this.from);
  }
  render(): string {
    const parameters = rangeParameters(this.from, this.to, (bound) => `'${this.print(bound)}'`);
    if (parameters.length === 0) return this.kind;
    // A range of one point prints as the point.
    const shown = this.from === this.to ? parameters.slice(0, 1) : parameters;
    return `${this.kind}[${shown.join(', ')}]`;
  }
  override equalityKey(): string {
    return `${this.kind}[${exact(this.from)}..${exact(this.to)}]`;
  }
}

/** Large numbers are written as the integers that they equal. */
function exact(bound: Bound): Bound {
  return Number.isInteger(bound) ? BigInt(bound) : bound;
}

export class TimespanType extends TimeType {
  static readonly DEFAULT: TimespanType = new TimespanType();
  readonly kind = 'Timespan';
  isInstance(value: Value): boolean {
    return value instanceof TimespanValue && value.nanoseconds >= this.from && value.nanoseconds <= this.to;
  }
  accepts(other: PuppetType): boolean {
    return other instanceof TimespanType && this.covers(other);
  }
  merge(other: TimespanType): TimespanType | undefined {
    if (!this.overlaps(other)) return undefined;
    return new TimespanType(least(this.from, other.from), greatest(this.to, other.to));
  }
  override generalize(): PuppetType {
    return TimespanType.DEFAULT;
  }
  /** An end as a value; `undefined` when it is open. */
  static valueAt(bound: Bound): TimespanValue | undefined {
    if (typeof bound === 'bigint') return new TimespanValue(bound);
    return Number.isFinite(bound) ? new TimespanValue(BigInt(Math.trunc(bound)), true) : undefined;
  }
  protected print(bound: Bound): string {
    return String(TimespanType.valueAt(bound) ?? bound);
  }
}

export class TimestampType extends TimeType {
  static readonly DEFAULT: TimestampType = new TimestampType();
  readonly kind = 'Timestamp';
  isInstance(value: Value): boolean {
    return value instanceof TimestampValue && value.nanoseconds >= this.from && value.nanoseconds <= this.to;
  }
  accepts(other: PuppetType): boolean {
    return other instanceof TimestampType && this.covers(other);
  }
  merge(other: TimestampType): TimestampType | undefined {
    if (!this.overlaps(other)) return undefined;
    return new TimestampType(least(this.from, other.from), greatest(this.to, other.to));
  }
  override generalize(): PuppetType {
    return TimestampType.DEFAULT;
  }
  protected print(bound: Bound): string {
    return typeof bound === 'bigint' ? new TimestampValue(bound).toString() : String(bound);
  }
}
