/** `Hash`, as far as the definitions of types use it. */

import type { Call, ValueMethod } from './calls.ts';
import { isTruthy, RubyHash, type Value } from './values.ts';

export const hashMethods: Readonly<Record<string, ValueMethod<RubyHash>>> = {
  each: eachPair,
  each_pair: eachPair,
  each_key: (hash, { block, interpreter }) =>
    block === undefined
      ? undefined
      : interpreter.iterate(
          [...hash.entries.keys()].map((key) => [key]),
          block,
          hash,
        ),
  map: mapPairs,
  collect: mapPairs,
  select: (hash, call) => filterPairs(hash, call, true),
  reject: (hash, call) => filterPairs(hash, call, false),
  keys: (hash) => [...hash.entries.keys()],
  values: (hash) => [...hash.entries.values()],
  to_a: (hash) => pairs(hash),
  to_h: (hash, { block }) => (block === undefined ? hash : undefined),
  '[]': (hash, { args }) => hash.get(args[0] ?? null),
  fetch: (hash, { args: [key = null, fallback], block }) =>
    hash.has(key) ? hash.get(key) : block === undefined ? fallback : undefined,
  '[]=': (hash, { args: [key = null, value = null] }) => {
    hash.set(key, value);
    return value;
  },
  'key?': (hash, { args }) => hash.has(args[0] ?? null),
  'has_key?': (hash, { args }) => hash.has(args[0] ?? null),
  'include?': (hash, { args }) => hash.has(args[0] ?? null),
  'empty?': (hash) => hash.entries.size === 0,
  length: (hash) => hash.entries.size,
  size: (hash) => hash.entries.size,
  merge: (hash, { args, block }) => (block === undefined ? merged(hash, args) : undefined),
  'merge!': (hash, { args: [other], block }) => {
    if (!(other instanceof RubyHash) || block !== undefined) return undefined;
    for (const [key, value] of other.entries) hash.entries.set(key, value);
    return hash;
  },
  delete: (hash, { args: [key = null], block }) => {
    if (block !== undefined) return undefined;
    const value = hash.get(key);
    if (typeof key !== 'object' || key === null) hash.entries.delete(key);
    return value;
  },
  dup: (hash) => merged(hash, []),
  freeze: (hash) => hash,
};

function pairs(hash: RubyHash): Value[][] {
  return [...hash.entries].map(([key, value]) => [key, value]);
}

function eachPair(hash: RubyHash, { block, interpreter }: Call): Value | undefined {
  if (block === undefined) return undefined;
  return interpreter.iterate(
    pairs(hash).map((pair) => [pair]),
    block,
    hash,
  );
}

function mapPairs(hash: RubyHash, { block, interpreter }: Call): Value[] | undefined {
  return block === undefined ? undefined : pairs(hash).map((pair) => interpreter.callProc(block, [pair]));
}

function filterPairs(hash: RubyHash, { block, interpreter }: Call, isWanted: boolean): RubyHash | undefined {
  if (block === undefined) return undefined;
  const result = new RubyHash();
  for (const [key, value] of hash.entries) {
    if (isTruthy(interpreter.callProc(block, [key, value])) === isWanted) result.entries.set(key, value);
  }
  return result;
}

function merged(hash: RubyHash, others: readonly Value[]): RubyHash | undefined {
  const result = new RubyHash();
  for (const part of [hash, ...others]) {
    if (!(part instanceof RubyHash)) return undefined;
    for (const [key, value] of part.entries) result.entries.set(key, value);
  }
  return result;
}
