/** Ruby's `<=>`, and what it says when two values have no order. */

import { compareCodePoints } from '../../../lib/code-point-order.ts';
import {
  ByteString,
  Float,
  fault,
  inspect,
  isArray,
  isInteger,
  keyOf,
  rubyClassName,
  type Value,
} from '../../pcore/index.ts';
import { compareSameKind } from './compare-same-kind.ts';

/** `left <=> right`: negative, 0 or positive, or `undefined` when they cannot be ordered. */
export function spaceship(left: Value, right: Value): number | undefined {
  if (left instanceof ByteString) return spaceship(left.text, right);
  if (right instanceof ByteString) return spaceship(left, right.text);
  if (typeof left === 'string') return typeof right === 'string' ? compareCodePoints(left, right) : undefined;
  const leftNumber = numberOf(left);
  if (leftNumber !== undefined) {
    const rightNumber = numberOf(right);
    return rightNumber === undefined ? undefined : compareNumbers(leftNumber, rightNumber);
  }
  if (isArray(left)) return isArray(right) ? compareArrays(left, right) : undefined;
  return compareSameKind(left, right) ?? (keyOf(left) === keyOf(right) ? 0 : undefined);
}

/** As `spaceship`, but having no order is an error with Ruby's text. */
export function spaceshipOrFail(left: Value, right: Value): number {
  const order = spaceship(left, right);
  if (order === undefined) throw noOrder(left, right);
  return order;
}

/** What a comparison block returned, as a number; Ruby compares other results with 0. */
export function orderFromBlock(result: Value, left: Value, right: Value): number {
  if (result === null) throw noOrder(left, right);
  if (isInteger(result)) return Number(result);
  if (result instanceof Float) return result.value;
  throw fault(`comparison of ${rubyClassName(result)} with 0 failed`);
}

function noOrder(left: Value, right: Value): Error {
  const isSpecial =
    right === null || typeof right === 'boolean' || isInteger(right) || right instanceof Float;
  const other = isSpecial || rubyClassName(right) === 'Symbol' ? inspect(right) : rubyClassName(right);
  return fault(`comparison of ${rubyClassName(left)} with ${other} failed`);
}

function numberOf(value: Value): number | bigint | undefined {
  if (isInteger(value)) return value;
  return value instanceof Float ? value.value : undefined;
}

function compareNumbers(left: number | bigint, right: number | bigint): number | undefined {
  if (left < right) return -1;
  if (left > right) return 1;
  // Only NaN is neither less nor greater nor equal. Number and bigint compare exactly with `<` and `>`.
  return Number.isNaN(left) || Number.isNaN(right) ? undefined : 0;
}

function compareArrays(left: readonly Value[], right: readonly Value[]): number | undefined {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const order = spaceship(left[index] ?? null, right[index] ?? null);
    if (order !== 0) return order;
  }
  return Math.sign(left.length - right.length);
}
