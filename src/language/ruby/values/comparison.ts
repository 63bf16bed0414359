/** `==`, `===` and `<=>` as Ruby's. */

import { compareCodePoints } from '../../../lib/code-point-order.ts';
import {
  Float,
  integer,
  isArray,
  isInteger,
  keyOf,
  PuppetHash,
  RegexpValue,
  type Value,
} from '../../pcore/index.ts';
import { isTruthy } from '../arguments.ts';
import { giveUp } from '../signals.ts';
import { isA, kindOf } from './kinds.ts';
import { RubyModule, RubyProc, RubyRange, RubyResource, RubySymbol, Unknown } from './ruby-values.ts';

const INCOMPARABLE: ReadonlySet<string> = new Set([
  'Environment',
  'LookupContext',
  'Proc',
  'Resource',
  'Scope',
  'Sensitive',
  'Type',
]);

export function equal(a: Value, b: Value): boolean {
  if (a instanceof Unknown || b instanceof Unknown) return giveUp('a comparison with what is not known');
  if (a === b) return true;
  if (isArray(a))
    return isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index] ?? null));
  if (a instanceof PuppetHash) return b instanceof PuppetHash && equalHashes(a, b);
  const [x, y] = [number(a), number(b)];
  if (x !== undefined && y !== undefined) return x === y || (typeof x !== typeof y && isEqualMixed(x, y));
  if (a instanceof RubySymbol && b instanceof RubySymbol) return a.name === b.name;
  const kind = kindOf(a);
  if (kind !== kindOf(b)) return false;
  if (
    a instanceof RubyResource &&
    b instanceof RubyResource &&
    a.written !== undefined &&
    b.written !== undefined
  )
    return a.reference === b.reference;
  if (INCOMPARABLE.has(kind)) return giveUp('a comparison of objects');
  return typeof a === 'object' && a !== null && typeof b === 'object' && b !== null && keyOf(a) === keyOf(b);
}

/** As a number of JavaScript, or `undefined`. */
export function number(value: Value): number | bigint | undefined {
  if (isInteger(value)) return value;
  return value instanceof Float ? value.value : undefined;
}

function isEqualMixed(x: number | bigint, y: number | bigint): boolean {
  const [whole, other] = typeof x === 'bigint' ? [x, y] : [y, x];
  return typeof other === 'number' && Number.isInteger(other) && BigInt(other) === BigInt(whole);
}

function equalHashes(a: PuppetHash, b: PuppetHash): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    const other = b.get(key);
    if (other === undefined || !equal(value, other)) return false;
  }
  return true;
}

/** `<=>`; `undefined` where Ruby says nil. */
export function compareValues(a: Value, b: Value): number | undefined {
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b);
  const [x, y] = [number(a), number(b)];
  if (x !== undefined && y !== undefined) return x < y ? -1 : x > y ? 1 : x == y ? 0 : undefined; // oxlint-disable-line eqeqeq -- bigint and number
  if (isArray(a) && isArray(b)) return compareArrays(a, b);
  if (a instanceof RubySymbol && b instanceof RubySymbol) return compareCodePoints(a.name, b.name);
  if (a === null && b === null) return 0;
  if (typeof a === 'boolean' && a === b) return 0;
  if (a instanceof PuppetHash && b instanceof PuppetHash) return equal(a, b) ? 0 : undefined;
  return undefined;
}

function compareArrays(a: readonly Value[], b: readonly Value[]): number | undefined {
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const order = compareValues(a[index] ?? null, b[index] ?? null);
    if (order !== 0) return order;
  }
  return Math.sign(a.length - b.length);
}

/** `<=>` where nil would be an error. */
export function order(a: Value, b: Value): number {
  return compareValues(a, b) ?? giveUp('a comparison that fails');
}

/** `pattern === value`, for `when` and `grep`; what a pattern finds is kept by `matched`. */
export function isCase(
  pattern: Value,
  value: Value,
  matched: (found: RegExpExecArray | null) => void,
): boolean {
  if (value instanceof Unknown) return giveUp(`a decision that depends on ${value.what}`);
  if (pattern instanceof RubyModule) return isA(value, pattern);
  if (pattern instanceof RegexpValue) {
    const text = value instanceof RubySymbol ? value.name : value;
    const found = typeof text === 'string' ? pattern.exec(text) : null;
    matched(found);
    return found !== null;
  }
  if (pattern instanceof RubyProc) return isTruthy(pattern.call([value]));
  if (pattern instanceof RubyRange) return isInRange(pattern, value);
  return equal(pattern, value);
}

export function isInRange({ excludesLast, first, last }: RubyRange, value: Value): boolean {
  if (first === null || last === null) giveUp('an endless range');
  const [low, high] = [compareValues(first, value), compareValues(value, last)];
  if (low === undefined || high === undefined) return false;
  return low <= 0 && (excludesLast ? high < 0 : high <= 0);
}

export function toInteger(value: number | bigint): Value {
  return typeof value === 'number' && !Number.isSafeInteger(value)
    ? giveUp('an inexact integer')
    : integer(value);
}
