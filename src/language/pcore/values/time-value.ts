import { fault } from '../fault.ts';
import { Float, type IntegerValue, integer, OpaqueValue } from '../value.ts';

export const NANOSECONDS_PER_SECOND = 1_000_000_000n;

/** A number of nanoseconds: a length of time, or a point in time since the epoch. */
export abstract class TimeValue extends OpaqueValue {
  readonly nanoseconds: bigint;
  constructor(nanoseconds: bigint) {
    super();
    this.nanoseconds = nanoseconds;
  }
  /** In seconds. */
  toFloat(): number {
    const whole = this.nanoseconds / NANOSECONDS_PER_SECOND;
    const rest = this.nanoseconds % NANOSECONDS_PER_SECOND;
    // One rounding where the whole number is exact.
    return rest === 0n ? Number(whole) : Number(this.nanoseconds) / 1e9;
  }
  /** In whole seconds, rounded down. */
  toInteger(): IntegerValue {
    return integer(floorDivide(this.nanoseconds, NANOSECONDS_PER_SECOND));
  }
}

/** Ruby's integer division. */
export function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

/**
 * @param seconds - a Float is multiplied as a float, so that what is great loses digits; what is below a nanosecond
 *   is cut off
 * @throws PuppetError in Ruby's words unless it is a number
 */
export function secondsToNanoseconds(seconds: IntegerValue | Float): bigint {
  if (!(seconds instanceof Float)) return BigInt(seconds) * NANOSECONDS_PER_SECOND;
  const nanoseconds = Math.trunc(seconds.value * 1e9);
  if (!Number.isFinite(nanoseconds)) throw fault(String(nanoseconds));
  return BigInt(nanoseconds);
}
