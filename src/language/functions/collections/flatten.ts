import { isArray, type Value } from '../../pcore/index.ts';
import { defineFunction } from '../function.ts';

/** `flatten(*args)`: one array of the arguments, nested arrays dissolved. */
export const flatten = defineFunction({
  name: 'flatten',
  bytes: 'values',
  dispatches: [
    {
      parameters: [{ type: 'Any', name: 'args', arity: 'repeated' }],
      call: (_context, args) => flattenValues(args),
    },
  ],
});

/** All values, those in nested arrays one after the other. */
export function flattenValues(values: readonly Value[], result: Value[] = []): Value[] {
  for (const value of values) {
    if (isArray(value)) flattenValues(value, result);
    else result.push(value);
  }
  return result;
}
