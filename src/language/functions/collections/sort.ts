import { isArray, type Value } from '../../pcore/index.ts';
import { defineFunction, type Lambda } from '../function.ts';
import { mergeSort } from '../ruby/merge-sort.ts';
import { orderFromBlock, spaceshipOrFail } from '../ruby/spaceship.ts';

/** `sort(array)`: the elements, or the characters of a string, in order; by a lambda that compares two of them. */
export const sort = defineFunction({
  name: 'sort',
  dispatches: [
    {
      parameters: [{ type: 'String', name: 'string_value' }],
      block: { type: 'Callable[2,2]', name: 'block', isOptional: true },
      call: (_context, [text], block) => sortValues(Array.from(String(text)), block).join(''),
    },
    {
      parameters: [{ type: 'Array', name: 'array_value' }],
      block: { type: 'Callable[2,2]', name: 'block', isOptional: true },
      call: (_context, [array = null], block) => sortValues(isArray(array) ? array : [], block),
    },
  ],
});

function sortValues(values: readonly Value[], block: Lambda | undefined): Value[] {
  if (block === undefined) return mergeSort(values, spaceshipOrFail);
  return mergeSort(values, (left, right) => orderFromBlock(block.call([left, right]), left, right));
}
