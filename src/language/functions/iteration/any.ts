import { elementsOf, pairsOf } from './elements.ts';
import { iteratingFunction } from './iterating-function.ts';
import { refuseTree } from './tree-iterator.ts';
import { isTrue } from './truth.ts';

/** `any(iterable) |$element| {}`: true when the lambda is true for at least one element; later ones are not asked. */
export const any = iteratingFunction('any', {
  hashByTwo: (hash, block) => {
    for (const entry of hash) if (isTrue(block.call(entry))) return true;
    return false;
  },
  hashByOne: (hash, block) => {
    for (const entry of hash) if (isTrue(block.call([entry]))) return true;
    return false;
  },
  elementsByTwo: (iterable, block) => {
    refuseTree(iterable, 'any?');
    for (const pair of pairsOf(iterable)) if (isTrue(block.call(pair))) return true;
    return false;
  },
  elementsByOne: (iterable, block) => {
    refuseTree(iterable, 'any?');
    for (const element of elementsOf(iterable)) if (isTrue(block.call([element]))) return true;
    return false;
  },
});
