import { defineFunction } from '../function.ts';
import { iteratorOn } from './iterator-on.ts';
import { untilBreak } from './until-break.ts';

/** `reverse_each(iterable)`: the elements from the last to the first, as an iterator or for a lambda. */
export const reverseEach = defineFunction({
  name: 'reverse_each',
  dispatches: [
    {
      parameters: [{ type: 'Iterable', name: 'iterable' }],
      call: (_context, [iterable = null]) => iteratorOn(iterable).reversed(),
    },
    {
      parameters: [{ type: 'Iterable', name: 'iterable' }],
      block: { type: 'Callable[1,1]', name: 'block' },
      call: (_context, [iterable = null], block) => {
        untilBreak(() => {
          for (const element of iteratorOn(iterable).reversed()) block?.call([element]);
        });
        return null;
      },
    },
  ],
});
