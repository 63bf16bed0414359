/** Arithmetic with timestamps and timespans. */

import { failure } from '../../catalog/index.ts';
import { Float, integer, isInteger, TimespanValue, TimestampValue, type Value } from '../../pcore/index.ts';
import type { ArithmeticOperator } from '../../syntax/index.ts';
import { aAn, aAnUpper } from '../../syntax/index.ts';
import { labelOfValue } from '../labels.ts';
import type { Numeric } from './arithmetic.ts';

const NANOSECONDS = 1_000_000_000n;

/** @returns `undefined` when there is no such operator for the left side */
export function computeTimes(operator: ArithmeticOperator, left: Numeric, right: Numeric): Value | undefined {
  if (left instanceof TimespanValue) return onTimespan(operator, left, right);
  if (left instanceof TimestampValue) return onTimestamp(operator, left, right);
  if (operator === '-' && right instanceof TimespanValue) {
    return new TimespanValue(nanosecondsOf(left) - right.nanoseconds);
  }
  return computeTimes(operator, right, left);
}

function onTimespan(operator: ArithmeticOperator, left: TimespanValue, right: Numeric): Value | undefined {
  switch (operator) {
    case '+':
      if (right instanceof TimestampValue) return new TimestampValue(right.nanoseconds + left.nanoseconds);
      return new TimespanValue(left.nanoseconds + nanosecondsOf(right));
    case '-':
      if (right instanceof TimestampValue) throw notPossible('subtracted from', right, 'Timespan');
      return new TimespanValue(left.nanoseconds - nanosecondsOf(right));
    case '*':
      return multiply(left, right);
    case '/':
      return divide(left, right);
    case '%':
      return remainder(left, right);
    default:
      return undefined;
  }
}

function onTimestamp(operator: ArithmeticOperator, left: TimestampValue, right: Numeric): Value | undefined {
  if (operator === '+') {
    if (right instanceof TimestampValue) throw notPossible('added to', right, 'Timestamp');
    return new TimestampValue(left.nanoseconds + nanosecondsOf(right));
  }
  if (operator !== '-') return undefined;
  if (right instanceof TimestampValue) return new TimespanValue(left.nanoseconds - right.nanoseconds);
  return new TimestampValue(left.nanoseconds - nanosecondsOf(right));
}

/** Nothing can be done with a time and a version. @throws PuppetError for the operators that the time has */
export function refuseVersion(operator: ArithmeticOperator, time: TimespanValue | TimestampValue): void {
  const what = time instanceof TimespanValue ? 'Timespan' : 'Timestamp';
  if (operator === '+') throw failure(`A Version cannot be added to a ${what}`);
  if (operator === '-') throw failure(`A Version cannot be subtracted from a ${what}`);
  if (time instanceof TimestampValue) return;
  if (operator === '*') throw failure('A Timestamp cannot be multiplied by a Version');
  if (operator === '/') throw failure('A Timespan cannot be divided by a Version');
  // The reference has the article twice.
  if (operator === '%') throw failure('Can not do modulus on a Timespan using a a Version');
}

function multiply(left: TimespanValue, right: Numeric): Value {
  if (isInteger(right)) return new TimespanValue(left.nanoseconds * BigInt(right));
  if (right instanceof Float) return new TimespanValue(scaled(left.nanoseconds, right.value));
  throw failure(`A Timestamp cannot be multiplied by ${aAn(labelOfValue(right))}`);
}

function divide(left: TimespanValue, right: Numeric): Value {
  if (right instanceof TimespanValue) {
    return new Float(Number(left.nanoseconds) / Number(right.nanoseconds));
  }
  if (isInteger(right)) return new TimespanValue(floorDivide(left.nanoseconds, BigInt(right)));
  if (!(right instanceof Float)) throw failure(`A Timespan cannot be divided by ${aAn(labelOfValue(right))}`);
  return new TimespanValue(whole(Math.floor(Number(left.nanoseconds) / right.value)));
}

/** Of whole seconds, and a number. */
function remainder(left: TimespanValue, right: Numeric): Value {
  if (!isInteger(right)) {
    // The reference has the article twice.
    throw failure(`Can not do modulus on a Timespan using a ${aAn(labelOfValue(right))}`);
  }
  const seconds = BigInt(left.toInteger());
  const by = BigInt(right);
  return integer(seconds - by * floorDivide(seconds, by));
}

/** Numbers are seconds. */
function nanosecondsOf(value: Numeric): bigint {
  if (value instanceof TimespanValue || value instanceof TimestampValue) return value.nanoseconds;
  if (value instanceof Float) return whole(Math.trunc(value.value * 1e9));
  return BigInt(value) * NANOSECONDS;
}

function scaled(nanoseconds: bigint, by: number): bigint {
  return whole(Math.trunc(Number(nanoseconds) * by));
}

/** @throws PuppetError in Ruby's words unless it is a number */
function whole(value: number): bigint {
  if (!Number.isFinite(value)) throw failure(String(value));
  return BigInt(value);
}

function floorDivide(left: bigint, right: bigint): bigint {
  const quotient = left / right;
  return left % right !== 0n && left < 0n !== right < 0n ? quotient - 1n : quotient;
}

function notPossible(how: string, value: Numeric, what: string): Error {
  return failure(`${aAnUpper(labelOfValue(value))} cannot be ${how} a ${what}`);
}
