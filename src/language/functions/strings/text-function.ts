import { ByteString, type Value } from '../../pcore/index.ts';
import { mapBytes } from '../call-with-bytes.ts';
import { type BuiltinFunction, defineFunction } from '../function.ts';
import { elementArray } from '../iteration/elements.ts';

/**
 * A function that maps a string to a string, leaves numbers as they are, and does the same for each element of
 * something iterable.
 */
export function textFunction(name: string, convert: (text: string) => string): BuiltinFunction {
  const convertElement = (value: Value): Value => {
    if (value instanceof ByteString) return mapBytes(value, convert);
    return typeof value === 'string' ? convert(value) : value;
  };
  return defineFunction({
    name,
    bytes: 'kept',
    dispatches: [
      { parameters: [{ type: 'Numeric', name: 'arg' }], call: (_context, [value = null]) => value },
      {
        parameters: [{ type: 'String', name: 'arg' }],
        call: (_context, [value = null]) => convertElement(value),
      },
      {
        parameters: [{ type: 'Iterable[Variant[String, Numeric]]', name: 'arg' }],
        call: (_context, [value = null]) => elementArray(value).map(convertElement),
      },
    ],
  });
}
