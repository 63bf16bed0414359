import { addItem, type Value } from '../../pcore/index.ts';
import { elementsOf, pairsOf } from './elements.ts';
import { iteratingFunction } from './iterating-function.ts';
import { untilBreak } from './until-break.ts';

/** `map(iterable) |$element| {}`: the results of the lambda for each element. */
export const map = iteratingFunction('map', {
  hashByTwo: (hash, block) =>
    collect((results) => {
      for (const entry of hash) addItem(results, block.call(entry));
    }),
  hashByOne: (hash, block) =>
    collect((results) => {
      for (const entry of hash) addItem(results, block.call([entry]));
    }),
  elementsByTwo: (iterable, block) =>
    collect((results) => {
      for (const pair of pairsOf(iterable)) addItem(results, block.call(pair));
    }),
  elementsByOne: (iterable, block) =>
    collect((results) => {
      for (const element of elementsOf(iterable)) addItem(results, block.call([element]));
    }),
});

function collect(loop: (results: Value[]) => void): Value {
  const results: Value[] = [];
  untilBreak(() => loop(results));
  return results;
}
