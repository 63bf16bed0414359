/** What `group_by` and `partition` share: a lambda that is asked about each element. */

import { isArray, type Value } from '../../pcore/index.ts';
import { type BuiltinFunction, defineFunction } from '../function.ts';

/** @param gather - its second parameter is what the lambda says of an element */
export function byElement(
  name: string,
  returns: string,
  gather: (collection: Value, ask: (item: Value, index: number) => Value) => Value,
): BuiltinFunction {
  return defineFunction({
    name,
    dispatches: [
      {
        parameters: [{ type: 'Collection', name: 'collection' }],
        block: { type: 'Callable[1,1]', name: 'block' },
        returns,
        call: (_context, [collection = null], block) =>
          gather(collection, (item) => block?.call([item]) ?? null),
      },
      {
        parameters: [{ type: 'Array', name: 'array' }],
        block: { type: 'Callable[2,2]', name: 'block' },
        returns,
        call: (_context, [array = null], block) =>
          gather(array, (item, index) => block?.call([index, item]) ?? null),
      },
      {
        parameters: [{ type: 'Collection', name: 'collection' }],
        block: { type: 'Callable[2,2]', name: 'block' },
        returns,
        call: (_context, [collection = null], block) =>
          gather(collection, (entry) => block?.call(isArray(entry) ? entry : [entry]) ?? null),
      },
    ],
  });
}
