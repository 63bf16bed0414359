/** Integers as Ruby computes with them: any size in between, division and remainder rounded down. */

import { type IntegerValue, integer } from '../../pcore/index.ts';
import type { ArithmeticOperator } from '../../syntax/index.ts';

const MAX = 2n ** 63n - 1n;
const MIN = -(2n ** 63n);
/** Shifting further than this gives a number that is out of range anyway. */
const LONGEST_SHIFT = 128n;

export function isInRange(value: IntegerValue): boolean {
  return typeof value === 'number' || (value >= MIN && value <= MAX);
}

/** @returns `undefined` for a division by zero; the result may be out of the range of integers */
export function computeIntegers(
  operator: ArithmeticOperator,
  left: IntegerValue,
  right: IntegerValue,
): IntegerValue | undefined {
  if (typeof left === 'number' && typeof right === 'number') {
    const quick = computeSafely(operator, left, right);
    if (quick !== undefined) return quick;
  }
  const result = computeExactly(operator, BigInt(left), BigInt(right));
  return result === undefined ? undefined : integer(result);
}

/** Without big integers, where the result is exact. */
function computeSafely(operator: ArithmeticOperator, left: number, right: number): number | undefined {
  let result: number;
  switch (operator) {
    case '+':
      result = left + right;
      break;
    case '-':
      result = left - right;
      break;
    case '*':
      result = left * right;
      break;
    default:
      return undefined;
  }
  return Number.isSafeInteger(result) ? result + 0 : undefined;
}

function computeExactly(operator: ArithmeticOperator, left: bigint, right: bigint): bigint | undefined {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0n ? undefined : floorDivide(left, right);
    case '%':
      return right === 0n ? undefined : left - right * floorDivide(left, right);
    case '<<':
      return shift(left, right);
    case '>>':
      return shift(left, -right);
  }
}

function floorDivide(left: bigint, right: bigint): bigint {
  const quotient = left / right;
  return left % right !== 0n && left < 0n !== right < 0n ? quotient - 1n : quotient;
}

function shift(value: bigint, by: bigint): bigint {
  const limited = by > LONGEST_SHIFT ? LONGEST_SHIFT : by;
  return limited >= 0n ? value << limited : value >> -limited;
}
