import { Float, fault, type IntegerValue, integer, isInteger, type Value } from '../../pcore/index.ts';
import { warnDeprecated } from '../deprecation.ts';
import { type CallContext, defineFunction } from '../function.ts';
import { leadingFloat, leadingInteger } from '../ruby/parse-number.ts';

/** `abs(val)`: the absolute value of a number; of a decimal string too, with a warning. */
export const abs = defineFunction({
  name: 'abs',
  bytes: 'shown',
  dispatches: [
    {
      parameters: [{ type: 'Numeric', name: 'val' }],
      call: (_context, [value = null]) => absoluteNumber(value),
    },
    {
      parameters: [{ type: 'String', name: 'val' }],
      call: (context, [value = null]) => absoluteText(context, value),
    },
  ],
});

function absoluteNumber(value: Value): Value {
  if (value instanceof Float) return new Float(Math.abs(value.value));
  return isInteger(value) ? absoluteInteger(value) : value;
}

function absoluteInteger(value: IntegerValue): IntegerValue {
  return value < 0 ? integer(-value) : value;
}

function absoluteText(context: CallContext, value: Value): Value {
  warnDeprecated(
    context,
    'abs_function_numeric_coerce_string',
    "The abs() function's auto conversion of String to Numeric is deprecated - change to convert input before calling",
  );
  const text = String(value);
  if (/^-?\d+\.\d+$/m.test(text)) return new Float(Math.abs(leadingFloat(text)));
  if (/^-?\d+$/m.test(text)) return absoluteInteger(integer(leadingInteger(text)));
  throw fault('abs(): Requires float or integer to work with - was given non decimal string');
}
