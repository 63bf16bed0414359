import { isArray, type Value } from '../../pcore/index.ts';
import { defineFunction } from '../function.ts';
import { elementsOf } from './elements.ts';
import { isTrue } from './truth.ts';

/** `partition(collection) |$element| {}`: the elements for which the lambda is true, and the others. */
export const partition = defineFunction({
  name: 'partition',
  dispatches: [
    {
      parameters: [{ type: 'Collection', name: 'collection' }],
      block: { type: 'Callable[1,1]', name: 'block' },
      returns: 'Tuple[Array, Array]',
      call: (_context, [collection = null], block) =>
        divide(collection, (item) => block?.call([item]) ?? null),
    },
    {
      parameters: [{ type: 'Array', name: 'array' }],
      block: { type: 'Callable[2,2]', name: 'block' },
      returns: 'Tuple[Array, Array]',
      call: (_context, [array = null], block) =>
        divide(array, (item, index) => block?.call([index, item]) ?? null),
    },
    {
      parameters: [{ type: 'Collection', name: 'collection' }],
      block: { type: 'Callable[2,2]', name: 'block' },
      returns: 'Tuple[Array, Array]',
      call: (_context, [collection = null], block) =>
        divide(collection, (entry) => block?.call(isArray(entry) ? entry : [entry]) ?? null),
    },
  ],
});

function divide(collection: Value, decide: (item: Value, index: number) => Value): Value {
  const wanted: Value[] = [];
  const others: Value[] = [];
  let index = 0;
  for (const item of elementsOf(collection)) (isTrue(decide(item, index++)) ? wanted : others).push(item);
  return [wanted, others];
}
