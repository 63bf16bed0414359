import { isArray, PuppetHash, type Value } from '../../pcore/index.ts';
import { byElement } from './by-element.ts';
import { elementsOf } from './elements.ts';

/** `group_by(collection) |$element| {}`: a hash from each result of the lambda to the elements that gave it. */
export const groupBy = byElement('group_by', 'Hash', group);

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
