import { SensitiveValue, type Value } from '../../pcore/index.ts';
import { defineFunction, type Lambda } from '../function.ts';

/** `unwrap(arg)`: the content of a `Sensitive`; other values as they are. Given to a lambda when there is one. */
export const unwrap = defineFunction({
  name: 'unwrap',
  bytes: 'values',
  dispatches: [
    {
      parameters: [{ type: 'Sensitive', name: 'arg' }],
      block: { name: 'block', isOptional: true },
      call: (_context, [value = null], block) =>
        passOn(value instanceof SensitiveValue ? value.unwrap() : value, block),
    },
    {
      parameters: [{ type: 'Any', name: 'arg' }],
      block: { name: 'block', isOptional: true },
      call: (_context, [value = null], block) => passOn(value, block),
    },
  ],
});

function passOn(value: Value, block: Lambda | undefined): Value {
  return block === undefined ? value : block.call([value]);
}
