import { elementsOf, pairsOf } from './elements.ts';
import { iteratingFunction } from './iterating-function.ts';
import { untilBreak } from './until-break.ts';

/** `each(iterable) |$element| {}`: calls the lambda for each element and returns what it iterated over. */
export const each = iteratingFunction('each', {
  hashByTwo: (hash, block) => {
    untilBreak(() => {
      for (const entry of hash) block.call(entry);
    });
    return hash;
  },
  hashByOne: (hash, block) => {
    untilBreak(() => {
      for (const entry of hash) block.call([entry]);
    });
    return hash;
  },
  elementsByTwo: (iterable, block) => {
    untilBreak(() => {
      for (const pair of pairsOf(iterable)) block.call(pair);
    });
    return iterable;
  },
  elementsByOne: (iterable, block) => {
    untilBreak(() => {
      for (const element of elementsOf(iterable)) block.call([element]);
    });
    return iterable;
  },
});
