/** The operators `==`, `<`, and what counts as true. */

import { fault } from '../fault.ts';
import { PuppetType } from '../puppet-type.ts';
import { Float, isArray, isDefault, isInteger, OpaqueValue, PuppetHash, type Value } from '../value.ts';
import { ByteString, isAscii } from '../values/byte-string.ts';
import { asciiCaseCompare, asciiCaseEquals } from '../values/case-compare.ts';
import { SemVerValue } from '../values/semver-value.ts';
import { TimeValue } from '../values/time-value.ts';
import { TimespanValue } from '../values/timespan-value.ts';

/** `==`: strings without regard to the case of ASCII letters, integers equal to floats. */
export function equals(a: Value, b: Value): boolean {
  if (typeof a === 'string') {
    if (typeof b === 'string') return asciiCaseEquals(a, b);
    return b instanceof ByteString && b.isAscii && asciiCaseEquals(a, b.text);
  }
  const number = numberOf(a);
  if (number !== undefined)
    return b instanceof TimeValue ? compareTime(b, a) === 0 : equalNumbers(number, numberOf(b));
  if (isArray(a))
    return isArray(b) && a.length === b.length && a.every((item, i) => equals(item, b[i] ?? null));
  if (a instanceof PuppetHash) return b instanceof PuppetHash && equalHashes(a, b);
  if (a instanceof PuppetType) return b instanceof PuppetType && a.equals(b);
  if (a instanceof TimeValue && isNumeric(b)) return compareTime(a, b) === 0;
  if (a instanceof ByteString) return equalsBytes(a, b);
  if (a instanceof OpaqueValue) return b instanceof OpaqueValue && a.equalityKey() === b.equalityKey();
  return a === b;
}

function equalsBytes(a: ByteString, b: Value): boolean {
  if (b instanceof ByteString) return asciiCaseEquals(a.text, b.text);
  return typeof b === 'string' && a.isAscii && asciiCaseEquals(a.text, b);
}

/** A bigint and a number are compared by value, exactly. */
function equalNumbers(a: number | bigint, b: number | bigint | undefined): boolean {
  if (b === undefined || typeof a === typeof b) return a === b;
  return (
    [a, b].every((each) => typeof each === 'bigint' || Number.isInteger(each)) && BigInt(a) === BigInt(b)
  );
}

/** `==` between two types that stand alone: equal, or each assignable to the other. */
export function equivalentTypes(a: PuppetType, b: PuppetType): boolean {
  return a.equals(b) || (a.isAssignable(b) && b.isAssignable(a));
}

function equalHashes(a: PuppetHash, b: PuppetHash): boolean {
  if (a.size !== b.size) return false;
  for (const [key, item] of a) if (!equals(b.get(key) ?? null, item)) return false;
  return true;
}

function numberOf(value: Value): number | bigint | undefined {
  if (isInteger(value)) return value;
  return value instanceof Float ? value.value : undefined;
}

function isNumeric(value: Value): boolean {
  return isInteger(value) || value instanceof Float;
}

/**
 * `<=>`: negative, zero or positive.
 *
 * @throws PuppetError with the reason alone when both cannot be compared
 */
export function compare(a: Value, b: Value): number {
  if (typeof a === 'string') {
    if (typeof b === 'string') return asciiCaseCompare(a, b);
    if (b instanceof ByteString) return -compareBytes(b, a);
    throw fault('A String is not comparable to a non String');
  }
  if (isNumeric(a)) return compareNumber(a, b);
  if (a instanceof ByteString) return compareBytes(a, b);
  if (a instanceof TimeValue) {
    const isSameKind = b instanceof TimeValue && a.constructor === b.constructor;
    if (isSameKind || isNumeric(b)) return compareTime(a, b);
    const name = a instanceof TimespanValue ? 'Timespan' : 'Timestamp';
    throw fault(`${name}s are only comparable to ${name}s, Integers, and Floats`);
  }
  if (a instanceof SemVerValue) {
    if (!(b instanceof SemVerValue)) throw fault('Versions not comparable to non Versions');
    return a.compare(b);
  }
  if (isDefault(a)) {
    if (isDefault(b)) return 0;
    throw fault('Symbol not comparable to non Symbol');
  }
  throw fault('Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable');
}

function compareBytes(a: ByteString, b: Value): number {
  if (b instanceof ByteString) return asciiCaseCompare(a.text, b.text);
  if (typeof b !== 'string') throw fault('A String is not comparable to a non String');
  if (a.isAscii || isAscii(b)) return asciiCaseCompare(a.text, b);
  throw fault("undefined method `<' for nil:NilClass");
}

function compareNumber(a: Value, b: Value): number {
  if (b instanceof TimeValue) return -compareTime(b, a);
  const [left, right] = [numberOf(a), numberOf(b)];
  if (left === undefined || right === undefined) throw fault('A Numeric is not comparable to non Numeric');
  return left < right ? -1 : left > right ? 1 : 0;
}

/** @param other - a time of the same kind, or seconds */
function compareTime(time: TimeValue, other: Value): number {
  const right =
    other instanceof TimeValue
      ? other.nanoseconds
      : other instanceof Float
        ? other.value
        : (numberOf(other) ?? 0);
  const left =
    other instanceof TimeValue
      ? time.nanoseconds
      : other instanceof Float
        ? time.toFloat()
        : time.toInteger();
  return left < right ? -1 : left > right ? 1 : 0;
}
