/** What something iterable consists of. */

import {
  AliasType,
  ByteString,
  charactersOf,
  EnumType,
  IntegerType,
  IteratorValue,
  integer,
  isArray,
  isInteger,
  itemsOf,
  ObjectInstance,
  PuppetHash,
  type Value,
} from '../../pcore/index.ts';

/**
 * The elements of a value of the type `Iterable`, one after the other; entries of a hash are `[key, value]`.
 * Nothing for values that cannot be iterated.
 */
export function elementsOf(value: Value): Iterable<Value> {
  if (isArray(value)) return value;
  if (value instanceof PuppetHash) return value.entries();
  if (typeof value === 'string') return Array.from(value);
  if (value instanceof ByteString) return charactersOf(value);
  if (isInteger(value)) return integersFrom(0, BigInt(value) - 1n);
  if (value instanceof IteratorValue) return value;
  if (value instanceof IntegerType) return integersFrom(value.from, BigInt(value.to));
  if (value instanceof EnumType) return value.values;
  if (value instanceof ObjectInstance) return value.items() ?? [];
  return value instanceof AliasType ? elementsOf(value.resolved) : [];
}

/** What a lambda with two parameters gets: index and element, or key and value if it was made from a hash. */
export function* pairsOf(value: Value): Generator<readonly [Value, Value], void, undefined> {
  if (isHashStyle(value)) {
    for (const entry of elementsOf(value)) if (isArray(entry)) yield [entry[0] ?? null, entry[1] ?? null];
    return;
  }
  let index = 0;
  for (const element of elementsOf(value)) {
    yield [index, element];
    index += 1;
  }
}

/** Whether the elements are entries of a hash. */
export function isHashStyle(value: Value): boolean {
  return value instanceof PuppetHash || (value instanceof IteratorValue && value.isHashStyle);
}

/** As an array: the value itself when it is one. */
export function elementArray(value: Value): readonly Value[] {
  return isArray(value) ? value : itemsOf(elementsOf(value));
}

function* integersFrom(from: number | bigint, to: bigint): Generator<Value, void, undefined> {
  for (let current = BigInt(from); current <= to; current += 1n) yield integer(current);
}
