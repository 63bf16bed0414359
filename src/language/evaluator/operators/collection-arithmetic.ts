/** `+` and `-` on arrays, hashes, URIs and binaries. */

import { exhausted, failure } from '../../catalog/index.ts';
import type { LanguageLevel } from '../../levels/index.ts';
import {
  BinaryValue,
  Float,
  integer,
  isArray,
  keyOf,
  MOST_ITEMS,
  PuppetHash,
  UriValue,
  type Value,
} from '../../pcore/index.ts';
import { PuppetError } from '../../syntax/index.ts';

/** @throws PuppetError without a position when the sides do not go together */
export function concatenate(left: Value, right: Value, level: LanguageLevel): Value {
  if (isArray(left)) return joined(left, itemsOf(right));
  if (left instanceof PuppetHash) return mergeHash(left, right, level);
  if (left instanceof UriValue) {
    if (typeof right !== 'string' && !(right instanceof UriValue)) {
      throw failure('An URI can only be merged with an URI or String');
    }
    return mergeUri(left, typeof right === 'string' ? UriValue.parse(right) : right);
  }
  if (left instanceof BinaryValue) {
    if (!(right instanceof BinaryValue)) throw failure('Can only append Binary to a Binary');
    const bytes = new Uint8Array(left.bytes.length + right.bytes.length);
    bytes.set(left.bytes);
    bytes.set(right.bytes, left.bytes.length);
    return new BinaryValue(bytes);
  }
  return [left, ...itemsOf(right)];
}

function joined(left: readonly Value[], right: readonly Value[]): readonly Value[] {
  if (left.length + right.length > MOST_ITEMS) throw exhausted('memory');
  return [...left, ...right];
}

/** A relative reference resolved against a base, as Ruby's `URI#+` does. */
function mergeUri(base: UriValue, relative: UriValue): UriValue {
  if (relative.parts.scheme !== undefined) return relative;
  try {
    return UriValue.parse(new URL(relative.toString(), base.toString()).toString());
  } catch (error) {
    throw new PuppetError(failure('both URI are relative').diagnostic, { cause: error });
  }
}

function itemsOf(value: Value): readonly Value[] {
  if (isArray(value)) return value;
  return value instanceof PuppetHash ? [...value].map(([key, item]) => [key, item]) : [value];
}

function mergeHash(left: PuppetHash, right: Value, level: LanguageLevel): PuppetHash {
  if (right instanceof PuppetHash) return new PuppetHash([...left, ...right]);
  if (!isArray(right)) throw failure('Can only append Array or Hash to a Hash');
  return new PuppetHash([
    ...left,
    ...(right.length > 0 && right.every(isArray) ? pairs(right, level) : flatPairs(right)),
  ]);
}

function pairs(items: readonly Value[], { addsPairsOnly }: LanguageLevel): [Value, Value][] {
  return items.map((item, index) => {
    const pair = isArray(item) ? item : [];
    if (addsPairsOnly && pair.length !== 2)
      throw failure(`wrong array length at ${index} (expected 2, was ${pair.length})`);
    if (pair.length < 1 || pair.length > 2) {
      throw failure(`invalid number of elements (${pair.length} for 1..2)`);
    }
    return [pair[0] ?? null, pair[1] ?? null];
  });
}

function flatPairs(items: readonly Value[]): [Value, Value][] {
  if (items.length % 2 === 1) throw failure('odd number of arguments for Hash');
  const result: [Value, Value][] = [];
  for (let i = 0; i < items.length; i += 2) result.push([items[i] ?? null, items[i + 1] ?? null]);
  return result;
}

/** What is left of an array without some items, or of a hash without some keys. */
export function removeFrom(left: readonly Value[] | PuppetHash, right: Value): Value {
  if (isArray(left)) {
    const unwanted = new Set(itemsOf(right).map(looseKey));
    return left.filter((item) => !unwanted.has(looseKey(item)));
  }
  const result = new PuppetHash(left);
  const keys = isArray(right) ? right : right instanceof PuppetHash ? [...right.keys()] : [right];
  for (const key of keys) result.delete(key);
  return result;
}

/** Equal for values that Ruby's `==` holds equal: 1 is 1.0, unlike as a key of a hash. */
function looseKey(value: Value): string {
  return keyOf(withIntegers(value));
}

/** The value with integers in place of floats that are equal to them; keys of hashes stay as they are. */
function withIntegers(value: Value): Value {
  if (value instanceof Float) return Number.isInteger(value.value) ? integer(BigInt(value.value)) : value;
  if (isArray(value)) return value.map(withIntegers);
  if (!(value instanceof PuppetHash)) return value;
  return new PuppetHash(Array.from(value, ([key, item]) => [key, withIntegers(item)] as const));
}
