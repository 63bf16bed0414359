/** Arguments of methods, converted as Ruby converts them; the rest gives up. */

import { Float, isArray, isInteger, PuppetHash, type Value } from '../pcore/index.ts';
import { giveUp, raise } from './signals.ts';
import { RubySymbol, UNUSABLE, Unknown } from './values/ruby-values.ts';

export function isTruthy(value: Value): boolean {
  if (value === UNUSABLE) giveUp('a result that is not known');
  if (value instanceof Unknown) giveUp(`a decision that depends on ${value.what}`);
  return value !== null && value !== false;
}

export function text(value: Value | undefined): string {
  if (typeof value === 'string') return value;
  return value === null
    ? raise('no implicit conversion of nil into String')
    : giveUp('an argument that is no String');
}

/** A name given as a string or a symbol. */
export function nameOf(value: Value): string {
  if (typeof value === 'string') return value;
  if (value instanceof Unknown) giveUp(`a name from ${value.what}`);
  return value instanceof RubySymbol ? value.name : giveUp('a name that is no String');
}

/** A small integer: a position or a length. */
export function small(value: Value | undefined): number {
  if (typeof value === 'number') return value;
  if (value instanceof Float && Math.abs(value.value) < 2 ** 31) return Math.trunc(value.value);
  return value === null
    ? raise('no implicit conversion from nil to integer')
    : giveUp('an argument that is no small Integer');
}

export function array(value: Value | undefined): readonly Value[] {
  return value !== undefined && isArray(value) ? value : giveUp('an argument that is no Array');
}

export function hash(value: Value | undefined): PuppetHash {
  return value instanceof PuppetHash ? value : giveUp('an argument that is no Hash');
}

export function isNumber(value: Value | undefined): value is number | bigint | Float {
  return value instanceof Float || (value !== undefined && isInteger(value));
}

/** Items of an array that may be absent. */
export function at(items: readonly Value[], index: number): Value {
  return items[index] ?? null;
}
