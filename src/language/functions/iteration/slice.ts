import { fault, type Value } from '../../pcore/index.ts';
import { defineFunction, type Lambda } from '../function.ts';
import { elementArray, elementsOf } from './elements.ts';
import { refuseTree } from './tree-iterator.ts';
import { untilBreak } from './until-break.ts';

/**
 * `slice(iterable, size)`: arrays of `size` elements, the last one shorter; with a lambda, calls it with each of
 * them, as one array or as `size` values (filled up at the end), and returns what it iterated over.
 */
export const slice = defineFunction({
  name: 'slice',
  bytes: 'values',
  dispatches: [
    {
      parameters: [
        { type: 'Hash[Any, Any]', name: 'hash' },
        { type: 'Integer[1, default]', name: 'slice_size' },
      ],
      block: { name: 'block', isOptional: true },
      call: (_context, [hash = null, size], block) => cut(hash, Number(size), [], block),
    },
    {
      parameters: [
        { type: 'Iterable', name: 'enumerable' },
        { type: 'Integer[1, default]', name: 'slice_size' },
      ],
      block: { name: 'block', isOptional: true },
      call: (_context, [iterable = null, size], block) => cut(iterable, Number(size), null, block),
    },
  ],
});

function cut(iterable: Value, size: number, filler: Value, block: Lambda | undefined): Value {
  refuseTree(iterable, 'each_slice');
  if (block === undefined) return Array.from(slicesOf(elementArray(iterable), size));
  const serving = servingSize(block, size);
  untilBreak(() => {
    for (const part of slicesOf(iterable, size)) {
      if (serving === 1) block.call([part]);
      else
        block.call(
          part.length < serving ? [...part, ...Array<Value>(serving - part.length).fill(filler)] : part,
        );
    }
  });
  return iterable;
}

function* slicesOf(iterable: Value, size: number): Generator<readonly Value[], void, undefined> {
  let part: Value[] = [];
  for (const element of elementsOf(iterable)) {
    part.push(element);
    if (part.length < size) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

/** How many values the lambda takes at a time: 1 (the slice as an array), or as many as there are in a slice. */
function servingSize(block: Lambda, size: number): number {
  const serving = block.minParameters === block.maxParameters ? block.maxParameters : size;
  if (serving === 0) throw fault('slice(): block must define at least one parameter. Block has 0.');
  if (serving === 1 || serving === size) return serving;
  const names = block.parameterNames.join(', ');
  throw fault(
    'slice(): block must define one parameter, or the same number of parameters as the given size of the ' +
      `slice (${size}). Block has ${serving}; ${names}`,
  );
}
