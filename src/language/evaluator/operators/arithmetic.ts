/** `+ - * / % << >>` */

import { failure } from '../../catalog/index.ts';
import {
  BinaryValue,
  Float,
  type IntegerValue,
  isArray,
  isInteger,
  OpaqueValue,
  PuppetHash,
  plainText,
  SemVerValue,
  TimespanValue,
  TimestampValue,
  textOf,
  UriValue,
  type Value,
} from '../../pcore/index.ts';
import type { ArithmeticExpression, ArithmeticOperator, Expression } from '../../syntax/index.ts';
import { aAn, aAnUpper, label } from '../../syntax/index.ts';
import { fail, positionOf } from '../evaluation-error.ts';
import { labelOfValue } from '../labels.ts';
import { guarded } from '../lower/guarded.ts';
import type { Evaluate, Lower, LowerContext } from '../lower/lower-context.ts';
import type { Frame } from '../runtime/frame.ts';
import { concatenate, removeFrom } from './collection-arithmetic.ts';
import { computeIntegers, isInRange } from './integer-math.ts';
import { numberInString } from './numeric-string.ts';
import { computeTimes, refuseVersion } from './time-arithmetic.ts';

export type Numeric = IntegerValue | Float | TimespanValue | TimestampValue;

export function lowerArithmetic(node: ArithmeticExpression, context: LowerContext, lower: Lower): Evaluate {
  const left = lower(node.left, context);
  const right = lower(node.right, context);
  const compute = (frame: Frame): Value => calculate(left(frame), right(frame), { node, context, frame });
  return guarded(compute, node, context);
}

export function lowerMinus(
  expr: Expression,
  node: Expression,
  context: LowerContext,
  lower: Lower,
): Evaluate {
  const operand = lower(expr, context);
  return guarded(
    (frame) => {
      const value = toNumeric(operand(frame), node, context, frame);
      if (value instanceof Float) return new Float(-value.value);
      if (isInteger(value)) return computeIntegers('-', 0, value) ?? 0;
      return computeTimes('*', value, -1) ?? notApplicable('-', value, node, context);
    },
    node,
    context,
  );
}

interface Calculation {
  readonly node: ArithmeticExpression;
  readonly context: LowerContext;
  readonly frame: Frame;
}

function calculate(left: Value, right: Value, calculation: Calculation): Value {
  const { node, context, frame } = calculation;
  const { operator } = node;
  if (typeof left === 'number' && typeof right === 'number') return onIntegers(left, right, calculation);
  if ((left instanceof UriValue || left instanceof BinaryValue) && operator === '+')
    return concatenate(left, right, frame.scope.compiler.settings.level);
  if (isArray(left) || left instanceof PuppetHash) {
    if (operator === '+') return concatenate(left, right, frame.scope.compiler.settings.level);
    if (operator === '-') return removeFrom(left, right);
    if (operator === '<<') {
      return isArray(left) ? [...left, right] : notApplicable(operator, left, node.left, context);
    }
  }
  if (left instanceof SemVerValue || right instanceof SemVerValue) return onVersion(left, right, calculation);
  const x = toNumeric(left, node.left, context, frame);
  const y = toNumeric(right, node.right, context, frame);
  if (isInteger(x) && isInteger(y)) return onIntegers(x, y, calculation);
  if (x instanceof OpaqueValue || y instanceof OpaqueValue) return onTimes(x, y, calculation);
  return onFloats(x, y, calculation);
}

/** In Ruby a version is a number with which nothing can be computed: only what is said of it differs. */
function onVersion(left: Value, right: Value, { node, context, frame }: Calculation): never {
  const { operator } = node;
  const x = left instanceof SemVerValue ? left : toNumeric(left, node.left, context, frame);
  const y = right instanceof SemVerValue ? right : toNumeric(right, node.right, context, frame);
  if (x instanceof SemVerValue) {
    if (operator === '%' && y instanceof Float) return notApplicableWhen(operator, x, y, { node, context });
    if (y instanceof TimespanValue || y instanceof TimestampValue) {
      if (operator === '+' || (operator === '*' && y instanceof TimespanValue)) refuseVersion(operator, y);
      if (operator !== '-' || y instanceof TimestampValue)
        return notApplicableWhen(operator, x, y, { node, context });
    }
    return notApplicable(operator, x, node.left, context);
  }
  if (x instanceof TimespanValue || x instanceof TimestampValue) refuseVersion(operator, x);
  else if (operator !== '<<' && operator !== '>>' && !(operator === '%' && x instanceof Float)) {
    throw failure("can't convert SemanticPuppet::Version into Float");
  }
  return notApplicable(operator, x, node.left, context);
}

function onIntegers(left: IntegerValue, right: IntegerValue, { node, context }: Calculation): Value {
  const result = computeIntegers(node.operator, left, right);
  if (result === undefined) return fail('div_by_zero', 'Division by 0', node.right, context);
  if (isInRange(result)) return result;
  const side = result > 0 ? 'max' : 'min';
  const shown = `${result > 0 ? '+' : '-'}0x${(result > 0 ? result : -result).toString(16)}`;
  return fail(
    'numeric_overflow',
    `${aAnUpper(label(node))} resulted in a value outside of Puppet Integer ${side} range, got '${shown}'`,
    node,
    context,
  );
}

function onFloats(
  left: IntegerValue | Float,
  right: IntegerValue | Float,
  { node, context, frame }: Calculation,
): Value {
  const { operator } = node;
  if (operator === '%') {
    if (left instanceof Float) return notApplicable(operator, left, node.left, context);
    return notApplicableWhen(operator, left, right, { node, context });
  }
  if ((operator === '<<' || operator === '>>') && !(left instanceof Float)) {
    // Ruby shifts by whole bits.
    const by = right instanceof Float ? Math.trunc(right.value) : right;
    return onIntegers(left, by, { node, context, frame });
  }
  const x = left instanceof Float ? left.value : Number(left);
  const y = right instanceof Float ? right.value : Number(right);
  const result = computeFloats(operator, x, y);
  if (result === undefined) return notApplicable(operator, left, node.left, context);
  return finite(result, { node, context });
}

function finite(result: number, { node, context }: Omit<Calculation, 'frame'>): Float {
  if (result !== Number.POSITIVE_INFINITY && result !== Number.NEGATIVE_INFINITY) return new Float(result);
  const text = `The result of the ${node.operator} expression is Infinity`;
  return fail('result_is_infinity', text, node.left, context);
}

function computeFloats(operator: ArithmeticOperator, left: number, right: number): number | undefined {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    default:
      return undefined;
  }
}

function onTimes(left: Numeric, right: Numeric, { node, context }: Calculation): Value {
  const { operator } = node;
  const isLeftTime = left instanceof OpaqueValue;
  if (!isLeftTime) {
    const isSwappable = operator === '+' || (operator === '*' && right instanceof TimespanValue);
    const isDifference = operator === '-' && right instanceof TimespanValue;
    if (!isSwappable && !isDifference) return notApplicableWhen(operator, left, right, { node, context });
  }
  if (left instanceof TimespanValue && (operator === '/' || operator === '%')) {
    if (operator === '%' && right instanceof Float)
      return notApplicableWhen(operator, left, right, { node, context });
    if ((right instanceof Float ? right.value : right) === 0)
      return fail('div_by_zero', 'Division by 0', node.right, context);
  }
  const result = computeTimes(operator, left, right);
  if (result === undefined) return notApplicable(operator, left, node.left, context);
  return result instanceof Float ? finite(result.value, { node, context }) : result;
}

/**
 * A number as it is; one in a string converted, with the complaint that the settings ask for.
 *
 * @param node - to blame; `undefined` when it has none of its own
 */
export function toNumeric(
  value: Value,
  node: Expression | undefined,
  context: LowerContext,
  frame: Frame,
): Numeric {
  if (isInteger(value) || value instanceof Float) return value;
  if (value instanceof TimespanValue || value instanceof TimestampValue) return value;
  const text = textOf(value);
  const number = text === undefined ? undefined : numberInString(text);
  if (number === undefined) {
    return fail(
      'not_numeric',
      `The value '${plainText(value)}' cannot be converted to Numeric.`,
      node,
      context,
    );
  }
  const { compiler } = frame.scope;
  const { strict } = compiler.settings;
  const message = `The string '${plainText(value)}' was automatically coerced to the numerical value ${plainText(number)}`;
  if (strict === 'error') return fail('numeric_coercion', message, node, context);
  if (strict === 'warning') {
    compiler.log('warning', message, node === undefined ? {} : positionOf(node, context.unit));
  }
  return number;
}

function notApplicable(operator: string, left: Value, node: Expression, context: LowerContext): never {
  return fail(
    'operator_not_applicable',
    `Operator '${operator}' is not applicable to ${aAn(labelOfValue(left))}.`,
    node,
    context,
  );
}

function notApplicableWhen(
  operator: string,
  left: Value,
  right: Value,
  { node, context }: Omit<Calculation, 'frame'>,
): never {
  return fail(
    'operator_not_applicable_when',
    `Operator '${operator}' is not applicable to ${aAn(labelOfValue(left))} when right side is ${aAn(labelOfValue(right))}.`,
    node.left,
    context,
  );
}
