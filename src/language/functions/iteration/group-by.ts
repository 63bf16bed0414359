import { isArray, PuppetHash, type Value } from '../../pcore/index.ts';
import { defineFunction } from '../function.ts';
import { elementsOf } from './elements.ts';

/** `group_by(collection) |$element| {}`: a hash from each result of the lambda to the elements that gave it. */
export const groupBy = defineFunction({
  name: 'group_by',
  dispatches: [
    {
      parameters: [{ type: 'Collection', name: 'collection' }],
      block: { type: 'Callable[1,1]', name: 'block' },
      returns: 'Hash',
      call: (_context, [collection = null], block) =>
        group(collection, (item) => block?.call([item]) ?? null),
    },
    {
      parameters: [{ type: 'Array', name: 'array' }],
      block: { type: 'Callable[2,2]', name: 'block' },
      returns: 'Hash',
      call: (_context, [array = null], block) =>
        group(array, (item, index) => block?.call([index, item]) ?? null),
    },
    {
      parameters: [{ type: 'Collection', name: 'collection' }],
      block: { type: 'Callable[2,2]', name: 'block' },
      returns: 'Hash',
      call: (_context, [collection = null], block) =>
        group(collection, (entry) => block?.call(isArray(entry) ? entry : [entry]) ?? null),
    },
  ],
});

function group(collection: Value, keyFor: (item: Value, index: number) => Value): PuppetHash {
  const groups = new PuppetHash();
  const members = new PuppetHash();
  let index = 0;
  for (const item of elementsOf(collection)) {
    const key = keyFor(item, index++);
    const known = members.get(key);
    members.set(key, known !== undefined && isArray(known) ? [...known, item] : [item]);
  }
  for (const [key, items] of members) groups.set(key, items);
  return groups;
}
