import { compareCodePoints } from '../../../lib/code-point-order.ts';
import { fault, isArray, plainText, type Value } from '../../pcore/index.ts';
import { warnDeprecated } from '../deprecation.ts';
import {
  type BuiltinFunction,
  type CallContext,
  type Dispatch,
  defineFunction,
  type Lambda,
} from '../function.ts';
import { leadingFloat } from '../ruby/parse-number.ts';
import { orderFromBlock, spaceshipOrFail } from '../ruby/spaceship.ts';

type Order = (left: Value, right: Value) => number;

const NUMBER = /^-?[0-9]+(?:[._eE][0-9]+)?$/;

/**
 * `min` or `max`: of the arguments, or of the elements of an array given alone, by a block when there is one.
 *
 * @param sign - 1 for the greatest, -1 for the least; of equal ones the first wins
 */
export function extremeFunction(name: 'min' | 'max', sign: 1 | -1): BuiltinFunction {
  const pick = (values: readonly Value[], order: Order): Value => extreme(name, sign, values, order);
  const overArray = (order: (context: CallContext) => Order): Dispatch['call'] => {
    return (context, [value = null], block) => {
      const values = isArray(value) ? value : [];
      return block === undefined ? pick(values, order(context)) : byBlock(sign, values, block);
    };
  };
  const natural = (): Order => spaceshipOrFail;
  const strings =
    (context: CallContext): Order =>
    (left, right) =>
      compareStrings(context, name, left, right);
  const anything =
    (context: CallContext): Order =>
    (left, right) =>
      compareAny(context, name, left, right);
  const block = { type: 'Callable[2,2]', name: 'block', isOptional: true };
  const ofAll = (type: string, order: (context: CallContext) => Order): Dispatch => ({
    parameters: [{ type, name: 'values', arity: 'repeated' }],
    call: (context, values) => pick(values, order(context)),
  });
  const ofArray = (type: string, order: (context: CallContext) => Order): Dispatch => ({
    parameters: [{ type, name: 'values' }],
    block,
    call: overArray(order),
  });
  const ofOrderedArray = (type: string): Dispatch => ofArray(`Array[${type}]`, natural);
  /** @param ordered - types whose values have an order of their own, besides numbers */
  const dispatches = (ordered: readonly string[]): readonly Dispatch[] => [
    ofAll('Numeric', natural),
    ofAll('String', strings),
    ...ordered.map((type) => ofAll(type, natural)),
    ofArray('Array[Numeric]', natural),
    ...inOrderOf(name, [ofArray('Array[String]', strings)], ordered.map(ofOrderedArray)),
    ofArray('Array', anything),
    {
      parameters: [{ type: 'Any', name: 'values', arity: 'repeated' }],
      block: { type: 'Callable[2,2]', name: 'block' },
      call: (_context, values, lambda) => (lambda === undefined ? null : byBlock(sign, values, lambda)),
    },
    ofAll('Any', anything),
  ];
  return defineFunction({
    name,
    bytes: 'values',
    dispatches: dispatches([]),
    atLevel: ({ ordersVersionsAndTimes }) =>
      ordersVersionsAndTimes ? { dispatches: dispatches(['SemVer', 'Timespan', 'Timestamp']) } : {},
  });
}

/** What a wrong call is told lists the signatures; the reference's `min` has them in another order than its `max`. */
function inOrderOf<T>(name: 'min' | 'max', texts: readonly T[], ordered: readonly T[]): readonly T[] {
  return name === 'max' ? [...texts, ...ordered] : [...ordered, ...texts];
}

function extreme(name: string, sign: 1 | -1, values: readonly Value[], order: Order): Value {
  if (values.length === 0) throw fault(`${name}(): Wrong number of arguments need at least one`);
  return best(sign, values, order);
}

function byBlock(sign: 1 | -1, values: readonly Value[], block: Lambda): Value {
  return best(sign, values, (left, right) => orderFromBlock(block.call([left, right]), left, right));
}

function best(sign: 1 | -1, values: readonly Value[], order: Order): Value {
  let result = values[0] ?? null;
  for (let index = 1; index < values.length; index += 1) {
    const value = values[index] ?? null;
    if (order(value, result) * sign > 0) result = value;
  }
  return result;
}

function compareStrings(context: CallContext, name: string, left: Value, right: Value): number {
  const [leftText, rightText] = [plainText(left), plainText(right)];
  if (!NUMBER.test(leftText) || !NUMBER.test(rightText)) return compareCodePoints(leftText, rightText);
  warnNumericCoercion(context, name);
  return leadingFloat(leftText) - leadingFloat(rightText);
}

function compareAny(context: CallContext, name: string, left: Value, right: Value): number {
  const [leftText, rightText] = [plainText(left), plainText(right)];
  if (NUMBER.test(leftText) && NUMBER.test(rightText)) {
    warnNumericCoercion(context, name);
    return leadingFloat(leftText) - leadingFloat(rightText);
  }
  warnDeprecated(
    context,
    `${name}_function_string_coerce_any`,
    `The ${name}() function's auto conversion of Any to String is deprecated - change to convert input before calling, or use lambda`,
  );
  return compareCodePoints(leftText, rightText);
}

function warnNumericCoercion(context: CallContext, name: string): void {
  warnDeprecated(
    context,
    `${name}_function_numeric_coerce_string`,
    `The ${name}() function's auto conversion of String to Numeric is deprecated - change to convert input before calling, or use lambda`,
  );
}
