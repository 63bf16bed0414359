import { addItem, PuppetHash, type Value } from '../../pcore/index.ts';
import { elementsOf, isHashStyle, pairsOf } from './elements.ts';
import { iteratingFunction } from './iterating-function.ts';
import { isTrue } from './truth.ts';
import { untilBreak } from './until-break.ts';

/**
 * `filter(iterable) |$element| {}`: the elements for which the lambda is true; of a hash, a hash.
 * As in the reference, `break()` ends it early, except for a hash.
 */
export const filter = iteratingFunction('filter', {
  hashByTwo: (hash, block) => selectEntries(hash, (entry) => isTrue(block.call(entry))),
  hashByOne: (hash, block) => selectEntries(hash, (entry) => isTrue(block.call([entry]))),
  elementsByTwo: (iterable, block) => {
    const isWanted = (pair: readonly [Value, Value]): boolean => isTrue(block.call(pair));
    return isHashStyle(iterable)
      ? selectEntries(pairsOf(iterable), isWanted)
      : selectValues(pairsOf(iterable), isWanted);
  },
  elementsByOne: (iterable, block) => {
    const result: Value[] = [];
    untilBreak(() => {
      for (const element of elementsOf(iterable)) if (isTrue(block.call([element]))) addItem(result, element);
    });
    return result;
  },
});

type Pairs = Iterable<readonly [Value, Value]>;
type Decision = (pair: readonly [Value, Value]) => boolean;

function selectEntries(entries: Pairs, isWanted: Decision): Value {
  const result = new PuppetHash();
  for (const entry of entries) if (isWanted(entry)) result.set(entry[0], entry[1]);
  return result;
}

function selectValues(pairs: Pairs, isWanted: Decision): Value {
  const result: Value[] = [];
  untilBreak(() => {
    for (const pair of pairs) if (isWanted(pair)) addItem(result, pair[1]);
  });
  return result;
}
