/** `Array.new`, `Hash.new` (and Tuple and Struct, which use them) */

import { fault } from '../fault.ts';
import { inferGeneric } from '../infer.ts';
import { rubyClassName } from '../resolution/ruby-class-name.ts';
import { IterableType } from '../types/iterable-types.ts';
import { isArray, isInteger, PuppetHash, type Value } from '../value.ts';
import { BinaryValue } from '../values/binary-value.ts';
import { iterableOf } from '../values/iterable-of.ts';
import { Constructor } from './constructor.ts';

export const NEW_ARRAY: Constructor = new Constructor({
  name: 'new_array',
  takesBytes: true,
  dispatches: [
    {
      parameters: [
        { name: 'from', type: 'Variant[Array,Hash,Binary,Iterable]' },
        { name: 'wrap', type: 'Boolean[false]', isOptional: true },
      ],
      make: ([from = null]) => toArray(from),
    },
    {
      parameters: [
        { name: 'from', type: 'Any' },
        { name: 'wrap', type: 'Boolean[true]' },
      ],
      make: ([from = null]) => (isArray(from) ? from : [from]),
    },
  ],
  mismatches: [
    {
      parameters: [
        { name: 'from', type: 'Any' },
        { name: 'wrap', type: 'Boolean', isOptional: true },
      ],
      explain: ([from = null]) =>
        `Value of type ${inferGeneric(from).toString()} cannot be converted to Array`,
    },
  ],
});

function toArray(from: Value): readonly Value[] {
  if (isArray(from)) return from;
  if (from instanceof PuppetHash) return [...from].map(([key, value]) => [key, value]);
  if (from instanceof BinaryValue) return [...from.bytes];
  return iterableOf(from)?.toArray() ?? [];
}

export const NEW_HASH: Constructor = new Constructor({
  name: 'new_hash',
  localTypes: {
    KeyValueArray: 'Array[Tuple[Any,Any],1]',
    TreeArray: 'Array[Tuple[Array,Any],1]',
    NewHashOption: 'Enum[tree, hash_tree]',
  },
  dispatches: [
    {
      parameters: [
        { name: 'from', type: 'TreeArray' },
        { name: 'build_option', type: 'NewHashOption', isOptional: true },
      ],
      make: ([from = null, option]) => {
        const tuples = isArray(from) ? from : [];
        return typeof option === 'string' ? treeFrom(tuples, option === 'hash_tree') : hashFromPairs(tuples);
      },
    },
    {
      parameters: [{ name: 'from', type: 'KeyValueArray' }],
      make: ([from = null]) => hashFromPairs(isArray(from) ? from : []),
    },
    { parameters: [{ name: 'from', type: 'Any' }], make: ([from = null]) => toHash(from) },
  ],
});

function toHash(from: Value): Value {
  if (from instanceof PuppetHash) return from;
  if (isArray(from)) {
    if (from.length % 2 !== 0) throw fault('odd number of arguments for Hash');
    const hash = new PuppetHash();
    for (let index = 0; index < from.length; index += 2)
      hash.set(from[index] ?? null, from[index + 1] ?? null);
    return hash;
  }
  const iterator = IterableType.DEFAULT.isInstance(from) ? iterableOf(from) : undefined;
  if (iterator === undefined) {
    throw fault(`Value of type ${inferGeneric(from).toString()} cannot be converted to Hash`);
  }
  const items = iterator.toArray();
  const [only] = items;
  // Ruby's Hash[] takes one argument for an array of pairs.
  if (items.length === 1 && only !== undefined) return hashFromOne(only);
  if (items.length % 2 !== 0) throw fault('odd number of arguments for Hash');
  return toHash(items);
}

function hashFromOne(item: Value): Value {
  if (item instanceof PuppetHash) return item;
  if (!isArray(item)) throw fault('odd number of arguments for Hash');
  for (const [index, pair] of item.entries()) {
    if (!isArray(pair)) {
      throw fault(`wrong element type ${rubyClassName(pair)} at ${index} (expected array)`);
    }
  }
  return hashFromPairs(item);
}

function hashFromPairs(pairs: readonly Value[]): PuppetHash {
  const hash = new PuppetHash();
  for (const pair of pairs) if (isArray(pair)) hash.set(pair[0] ?? null, pair[1] ?? null);
  return hash;
}

/** A part of a tree while it is being built. */
type Branch = PuppetHash | Value[];

function treeFrom(tuples: readonly Value[], isHashOnly: boolean): Value {
  let root: Branch = new PuppetHash();
  for (const tuple of tuples) {
    if (!isArray(tuple)) continue;
    const [path = null, value = null] = tuple;
    if (!isArray(path)) continue;
    if (path.length === 0) root = mergeRoot(root, value);
    else plant(root, path, isHashOnly ? arraysAsHashes(value) : growable(value));
  }
  return root;
}

function mergeRoot(root: Branch, value: Value): Branch {
  if (isArray(value)) for (const [index, item] of value.entries()) setAt(root, index, item);
  else if (value instanceof PuppetHash) for (const [key, item] of value) setAt(root, key, growable(item));
  return root;
}

function plant(root: Branch, path: readonly Value[], value: Value): void {
  let branch: Branch = root;
  for (const key of path.slice(0, -1)) {
    const next = getAt(branch, key);
    if (next instanceof PuppetHash || (next !== undefined && isArray(next))) branch = next as Branch;
    else {
      const grown = new PuppetHash();
      setAt(branch, key, grown);
      branch = grown;
    }
  }
  setAt(branch, path.at(-1) ?? null, value);
}

function getAt(branch: Branch, key: Value): Value | undefined {
  if (branch instanceof PuppetHash) return branch.get(key);
  return isInteger(key) ? branch.at(Number(key)) : undefined;
}

function setAt(branch: Branch, key: Value, value: Value): void {
  if (branch instanceof PuppetHash) branch.set(key, value);
  else if (isInteger(key)) branch[Number(key)] = value;
}

/** A copy that may be added to: values that were handed in are not ours to change. */
function growable(value: Value): Value {
  if (isArray(value)) return [...value];
  return value instanceof PuppetHash ? new PuppetHash(value) : value;
}

function arraysAsHashes(value: Value): Value {
  if (!isArray(value)) return growable(value);
  return new PuppetHash(value.map((item, index): readonly [Value, Value] => [index, arraysAsHashes(item)]));
}
