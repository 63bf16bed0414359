import { isArray, keyOf, PuppetHash, type Value } from '../../pcore/index.ts';
import { defineFunction, type Lambda } from '../function.ts';
import { elementArray } from '../iteration/elements.ts';
import { refuseTree } from '../iteration/tree-iterator.ts';

/**
 * `unique(value)`: the elements of an array or iterable, or the characters of a string, without those that were
 * there before; by what a lambda gives for each. Of a hash, arrays of keys to the distinct values that they share.
 */
export const unique = defineFunction({
  name: 'unique',
  bytes: 'values',
  dispatches: [
    {
      parameters: [{ type: 'String', name: 'string' }],
      block: { type: 'Callable[String]', name: 'block', isOptional: true },
      call: (_context, [text], block) => distinct(Array.from(String(text)), block).join(''),
    },
    {
      parameters: [{ type: 'Hash', name: 'hash' }],
      block: { type: 'Callable[Any]', name: 'block', isOptional: true },
      call: (_context, [hash = null], block) =>
        hash instanceof PuppetHash ? distinctEntries(hash, block) : hash,
    },
    {
      parameters: [{ type: 'Array', name: 'array' }],
      block: { type: 'Callable[Any]', name: 'block', isOptional: true },
      call: (_context, [array = null], block) => (isArray(array) ? distinct(array, block) : array),
    },
    {
      parameters: [{ type: 'Iterable', name: 'iterable' }],
      block: { type: 'Callable[Any]', name: 'block', isOptional: true },
      call: (_context, [iterable = null], block) => {
        refuseTree(iterable, 'uniq');
        return distinct(elementArray(iterable), block);
      },
    },
  ],
});

function distinct(values: readonly Value[], block: Lambda | undefined): Value[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const key = keyOf(block === undefined ? value : block.call([value]));
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function distinctEntries(hash: PuppetHash, block: Lambda | undefined): PuppetHash {
  const groups = new Map<string, { readonly keys: Value[]; readonly values: Value[] }>();
  for (const [key, value] of hash) {
    const id = keyOf(block === undefined ? value : block.call([value]));
    const group = groups.get(id) ?? { keys: [], values: [] };
    group.keys.push(key);
    group.values.push(value);
    groups.set(id, group);
  }
  const result = new PuppetHash();
  for (const { keys, values } of groups.values()) result.set(keys, distinct(values, undefined));
  return result;
}
