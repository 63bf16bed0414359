import { BinaryValue, characterCount, isArray, PuppetHash, type Value } from '../../pcore/index.ts';
import { defineFunction } from '../function.ts';

/** `length(arg)`: how many elements, entries, characters or bytes there are. */
export const length = defineFunction({
  name: 'length',
  bytes: 'kept',
  dispatches: [
    {
      parameters: [{ type: 'Collection', name: 'arg' }],
      call: (_context, [value = null]) => lengthOf(value),
    },
    { parameters: [{ type: 'String', name: 'arg' }], call: (_context, [value = null]) => lengthOf(value) },
    { parameters: [{ type: 'Binary', name: 'arg' }], call: (_context, [value = null]) => lengthOf(value) },
  ],
});

function lengthOf(value: Value): number {
  if (isArray(value)) return value.length;
  if (value instanceof PuppetHash) return value.size;
  if (value instanceof BinaryValue) return value.bytes.length;
  return typeof value === 'string' ? characterCount(value) : 0;
}
