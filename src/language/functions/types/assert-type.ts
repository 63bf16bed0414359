import { describeMismatch, fault, inferDetailed, PuppetType, type Value } from '../../pcore/index.ts';
import { defineFunction, type Lambda } from '../function.ts';

/** `assert_type(type, value)`: the value when it is of the type; else what a lambda makes of it, or an error. */
export const assertType = defineFunction({
  name: 'assert_type',
  bytes: 'values',
  dispatches: [
    {
      parameters: [
        { type: 'Type', name: 'type' },
        { type: 'Any', name: 'value' },
      ],
      block: { type: 'Callable[Type, Type]', name: 'block', isOptional: true },
      call: (_context, [type = null, value = null], block) =>
        type instanceof PuppetType ? assertInstance(type, value, block) : value,
    },
    {
      parameters: [
        { type: 'String', name: 'type_string' },
        { type: 'Any', name: 'value' },
      ],
      block: { type: 'Callable[Type, Type]', name: 'block', isOptional: true },
      call: (context, [text, value = null], block) =>
        assertInstance(context.resolveType(String(text)), value, block),
    },
  ],
});

function assertInstance(type: PuppetType, value: Value, block: Lambda | undefined): Value {
  if (type.isInstance(value)) return value;
  const actual = inferDetailed(value);
  if (block !== undefined) return block.call([type, actual]);
  throw fault(describeMismatch('assert_type():', type, actual));
}
