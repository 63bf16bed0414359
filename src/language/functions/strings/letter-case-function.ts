import { isArray, PuppetHash, type Value } from '../../pcore/index.ts';
import { type BuiltinFunction, type CallContext, defineFunction } from '../function.ts';

/** A function that changes the case of strings, however deep in arrays and hashes (keys included) they are. */
export function letterCaseFunction(name: string, convert: (text: string) => string): BuiltinFunction {
  function convertAny(context: CallContext, value: Value): Value {
    if (typeof value === 'string') return convert(value);
    // As the reference, by the function itself: it reports what it finds inside and does not accept.
    return context.callFunction(name, [value]);
  }
  return defineFunction({
    name,
    bytes: 'kept',
    localTypes: { StringData: 'Variant[String, Numeric, Array[StringData], Hash[StringData, StringData]]' },
    dispatches: [
      { parameters: [{ type: 'Numeric', name: 'arg' }], call: (_context, [value = null]) => value },
      {
        parameters: [{ type: 'String', name: 'arg' }],
        call: (context, [value = null]) => convertAny(context, value),
      },
      {
        parameters: [{ type: 'Array[StringData]', name: 'arg' }],
        call: (context, [value = null]) =>
          isArray(value) ? value.map((item) => convertAny(context, item)) : value,
      },
      {
        parameters: [{ type: 'Hash[StringData, StringData]', name: 'arg' }],
        call: (context, [value = null]) => {
          if (!(value instanceof PuppetHash)) return value;
          const result = new PuppetHash();
          for (const [key, item] of value) result.set(convertAny(context, key), convertAny(context, item));
          return result;
        },
      },
    ],
  });
}
