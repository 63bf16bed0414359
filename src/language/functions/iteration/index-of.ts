import { RegexpValue, type Value } from '../../pcore/index.ts';
import { rubyEquals } from '../ruby/ruby-equals.ts';
import { pairsOf } from './elements.ts';
import { iteratingFunction } from './iterating-function.ts';
import { refuseTree } from './tree-iterator.ts';
import { isTrue } from './truth.ts';

/**
 * `index(iterable, what)` or `index(iterable) |$element| {}`: the index (of a hash: the key) of the first element
 * that is equal to `what` or for which the lambda is true; undef when there is none. In a string, the index of a
 * text or of the match of a regular expression.
 */
export const index = iteratingFunction(
  'index',
  {
    hashByTwo: (hash, block) => find(hash, (entry) => isTrue(block.call(entry))),
    hashByOne: (hash, block) => find(hash, (entry) => isTrue(block.call([entry[1]]))),
    elementsByTwo: (iterable, block) => find(indexed(iterable), (pair) => isTrue(block.call(pair))),
    elementsByOne: (iterable, block) => find(indexed(iterable), (pair) => isTrue(block.call([pair[1]]))),
  },
  [
    {
      parameters: [
        { type: 'String', name: 'str' },
        { type: 'Variant[String,Regexp]', name: 'match' },
      ],
      call: (_context, [text, match = null]) => indexInText(String(text), match),
    },
    {
      parameters: [
        { type: 'Iterable', name: 'enumerable' },
        { type: 'Any', name: 'match' },
      ],
      call: (_context, [iterable = null, match = null]) =>
        find(indexed(iterable), (pair) => rubyEquals(pair[1], match)),
    },
  ],
);

function indexed(iterable: Value): Iterable<readonly [Value, Value]> {
  refuseTree(iterable, 'each_with_index');
  return pairsOf(iterable);
}

/** The first of the first pair that is wanted: an index or a key. */
function find(
  pairs: Iterable<readonly [Value, Value]>,
  isWanted: (pair: readonly [Value, Value]) => boolean,
): Value {
  for (const pair of pairs) if (isWanted(pair)) return pair[0];
  return null;
}

function indexInText(text: string, match: Value): Value {
  const offset = match instanceof RegexpValue ? (match.exec(text)?.index ?? -1) : text.indexOf(String(match));
  return offset < 0 ? null : Array.from(text.slice(0, offset)).length;
}
