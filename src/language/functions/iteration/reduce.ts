import type { Value } from '../../pcore/index.ts';
import { BreakSignal, defineFunction, type Lambda } from '../function.ts';
import { elementsOf } from './elements.ts';
import { refuseTree } from './tree-iterator.ts';

/**
 * `reduce(iterable, memo) |$memo, $element| {}`: calls the lambda with its last result and each element.
 * Without a memo the first element is it. `break()` returns what was reached so far.
 */
export const reduce = defineFunction({
  name: 'reduce',
  bytes: 'values',
  dispatches: [
    {
      parameters: [{ type: 'Iterable', name: 'enumerable' }],
      block: { type: 'Callable[2,2]', name: 'block' },
      call: (_context, [iterable = null], block) => fold(iterable, undefined, block),
    },
    {
      parameters: [
        { type: 'Iterable', name: 'enumerable' },
        { type: 'Any', name: 'memo' },
      ],
      block: { type: 'Callable[2,2]', name: 'block' },
      call: (_context, [iterable = null, memo = null], block) => fold(iterable, memo, block),
    },
  ],
});

function fold(iterable: Value, start: Value | undefined, block: Lambda | undefined): Value {
  refuseTree(iterable, 'reduce');
  let memo = start;
  try {
    for (const element of elementsOf(iterable))
      memo = memo === undefined || block === undefined ? element : block.call([memo, element]);
  } catch (signal) {
    if (!(signal instanceof BreakSignal)) throw signal;
  }
  return memo ?? null;
}
