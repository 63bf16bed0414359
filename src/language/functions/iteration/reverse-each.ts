import { iterableOf } from '../../pcore/index.ts';
import { defineFunction } from '../function.ts';
import { untilBreak } from './until-break.ts';

/** `reverse_each(iterable)`: the elements from the last to the first, as an iterator or for a lambda. */
export const reverseEach = defineFunction({
  name: 'reverse_each',
  bytes: 'values',
  dispatches: [
    {
      parameters: [{ type: 'Iterable', name: 'iterable' }],
      call: (_context, [iterable = null]) => iterableOf(iterable)?.reversed() ?? null,
    },
    {
      parameters: [{ type: 'Iterable', name: 'iterable' }],
      block: { type: 'Callable[1,1]', name: 'block' },
      call: (_context, [iterable = null], block) => {
        untilBreak(() => {
          for (const element of iterableOf(iterable)?.reversed() ?? []) block?.call([element]);
        });
        return null;
      },
    },
  ],
});
