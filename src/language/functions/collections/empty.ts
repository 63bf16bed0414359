import { BinaryValue, isArray, PuppetHash, SensitiveValue, type Value } from '../../pcore/index.ts';
import { warnDeprecatedHere } from '../deprecation.ts';
import { defineFunction } from '../function.ts';

/** `empty(value)`: true for a collection, string or binary without contents, and for undef. */
export const empty = defineFunction({
  name: 'empty',
  bytes: 'shown',
  dispatches: [
    {
      parameters: [{ type: 'Collection', name: 'coll' }],
      call: (_context, [value = null]) => (isArray(value) ? value.length : sizeOfHash(value)) === 0,
    },
    {
      parameters: [{ type: 'Sensitive[String]', name: 'str' }],
      call: (_context, [value = null]) => value instanceof SensitiveValue && value.unwrap() === '',
    },
    { parameters: [{ type: 'String', name: 'str' }], call: (_context, [value]) => value === '' },
    {
      parameters: [{ type: 'Numeric', name: 'num' }],
      call: (context) => {
        const { file = 'unknown', line = 0 } = context.position;
        const message = 'Calling function empty() with Numeric value is deprecated.';
        warnDeprecatedHere(context, `empty-from-${file}-${line}`, message);
        return false;
      },
    },
    {
      parameters: [{ type: 'Binary', name: 'bin' }],
      call: (_context, [value = null]) => value instanceof BinaryValue && value.bytes.length === 0,
    },
    { parameters: [{ type: 'Undef', name: 'x' }], call: () => true },
  ],
});

function sizeOfHash(value: Value): number {
  return value instanceof PuppetHash ? value.size : 0;
}
