import { elementsOf, pairsOf } from './elements.ts';
import { iteratingFunction } from './iterating-function.ts';
import { refuseTree } from './tree-iterator.ts';
import { isTrue } from './truth.ts';

/** `all(iterable) |$element| {}`: true when the lambda is true for all elements; the first false one ends it. */
export const all = iteratingFunction('all', {
  hashByTwo: (hash, block) => {
    for (const entry of hash) if (!isTrue(block.call(entry))) return false;
    return true;
  },
  hashByOne: (hash, block) => {
    for (const entry of hash) if (!isTrue(block.call([entry]))) return false;
    return true;
  },
  elementsByTwo: (iterable, block) => {
    refuseTree(iterable, 'all?');
    for (const pair of pairsOf(iterable)) if (!isTrue(block.call(pair))) return false;
    return true;
  },
  elementsByOne: (iterable, block) => {
    refuseTree(iterable, 'all?');
    for (const element of elementsOf(iterable)) if (!isTrue(block.call([element]))) return false;
    return true;
  },
});
