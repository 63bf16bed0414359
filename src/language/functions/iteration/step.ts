import { IteratorValue, iterableOf, UnitType, type Value } from '../../pcore/index.ts';
import { defineFunction } from '../function.ts';
import { untilBreak } from './until-break.ts';

/** `step(iterable, step)`: every `step`-th element, the first included, as an iterator or for a lambda. */
export const step = defineFunction({
  name: 'step',
  bytes: 'values',
  dispatches: [
    {
      parameters: [
        { type: 'Iterable', name: 'iterable' },
        { type: 'Integer[1]', name: 'step' },
      ],
      call: (_context, [iterable = null, size]) => stepsOf(iterable, size),
    },
    {
      parameters: [
        { type: 'Iterable', name: 'iterable' },
        { type: 'Integer[1]', name: 'step' },
      ],
      block: { type: 'Callable[1,1]', name: 'block' },
      call: (_context, [iterable = null, size], block) => {
        untilBreak(() => {
          for (const element of stepsOf(iterable, size)) block?.call([element]);
        });
        return null;
      },
    },
  ],
});

function stepsOf(iterable: Value, size: Value | undefined): IteratorValue {
  const iterator = iterableOf(iterable) ?? new IteratorValue(UnitType.DEFAULT, () => []);
  return Number(size) === 1 ? iterator : iterator.step(Number(size));
}
