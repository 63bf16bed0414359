import { Float, fault, plainText, type Value } from '../../pcore/index.ts';
import { warnDeprecated } from '../deprecation.ts';
import { type BuiltinFunction, type CallContext, defineFunction } from '../function.ts';
import { parseFloatStrictly, parseInteger } from '../ruby/parse-number.ts';
import { wholeNumber } from './number-value.ts';

/** A function that rounds a float with `round` and leaves integers as they are. */
export function roundingFunction(name: string, round: (value: number) => number): BuiltinFunction {
  return defineFunction({
    name,
    dispatches: [
      {
        parameters: [{ type: 'Numeric', name: 'val' }],
        call: (_context, [value = null]) => (value instanceof Float ? roundFloat(value, round) : value),
      },
      {
        parameters: [{ type: 'String', name: 'val' }],
        call: (context, [value = null]) => roundText(context, name, String(value), round),
      },
    ],
  });
}

function roundFloat(value: Float, round: (value: number) => number): Value {
  if (!Number.isFinite(value.value)) throw fault(plainText(value));
  return wholeNumber(round(value.value));
}

function roundText(
  context: CallContext,
  name: string,
  text: string,
  round: (value: number) => number,
): Value {
  warnDeprecated(
    context,
    `${name}_function_numeric_coerce_string`,
    `The ${name}() function's auto conversion of String to Float is deprecated - change to convert input before calling`,
  );
  const value = parseFloatStrictly(text) ?? hexadecimalOf(text);
  if (value === undefined) throw fault(`${name}(): cannot convert given value to a floating point value.`);
  return roundFloat(new Float(value), round);
}

function hexadecimalOf(text: string): number | undefined {
  const value = /^\s*[+-]?0[xX]/.test(text) ? parseInteger(text) : undefined;
  return value === undefined ? undefined : Number(value);
}
