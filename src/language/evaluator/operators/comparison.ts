/** `== != < > <= >=`, `and`, `or`, `!` */

import { compare, equals, equivalentTypes, PuppetType, type Value } from '../../pcore/index.ts';
import {
  type AndExpression,
  type ComparisonExpression,
  type ComparisonOperator,
  type NotExpression,
  type OrExpression,
  PuppetError,
} from '../../syntax/index.ts';
import { fail, hasPlace } from '../evaluation-error.ts';
import { labelOfValue } from '../labels.ts';
import { isTrue } from '../lower/control.ts';
import type { Evaluate, Lower, LowerContext } from '../lower/lower-context.ts';

export function lowerComparison(node: ComparisonExpression, context: LowerContext, lower: Lower): Evaluate {
  const left = lower(node.left, context);
  const right = lower(node.right, context);
  const { operator } = node;
  if (operator === '==') return (frame) => equalsValue(left(frame), right(frame));
  if (operator === '!=') return (frame) => !equalsValue(left(frame), right(frame));
  return (frame) => {
    const x = left(frame);
    const y = right(frame);
    if (typeof x === 'number' && typeof y === 'number') return holds(operator, x - y);
    try {
      return x instanceof PuppetType ? compareTypes(operator, x, y) : holds(operator, compare(x, y));
    } catch (error) {
      if (!(error instanceof PuppetError) || hasPlace(error)) throw error;
      const what = `${labelOfValue(x)} ${operator} ${labelOfValue(y)}`;
      const text = `Comparison of: ${what}, is not possible. Caused by '${error.diagnostic.message}'.`;
      return fail('comparison_not_possible', text, node, context);
    }
  };
}

function equalsValue(left: Value, right: Value): boolean {
  if (left === right) return true;
  // Types that have the same instances are equal, however they are written.
  return left instanceof PuppetType
    ? right instanceof PuppetType && equivalentTypes(left, right)
    : equals(left, right);
}

function holds(operator: ComparisonOperator, order: number): boolean {
  switch (operator) {
    case '==':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

/** Types are compared by what is assignable to what. */
function compareTypes(operator: ComparisonOperator, left: PuppetType, right: Value): boolean {
  if (!(right instanceof PuppetType)) return false;
  const isWider = operator === '>' || operator === '>=';
  const isAssignable = isWider ? left.isAssignable(right) : right.isAssignable(left);
  return isAssignable && (operator === '<=' || operator === '>=' || !equivalentTypes(left, right));
}

export function lowerAnd(node: AndExpression, context: LowerContext, lower: Lower): Evaluate {
  const left = lower(node.left, context);
  const right = lower(node.right, context);
  return (frame) => isTrue(left(frame)) && isTrue(right(frame));
}

export function lowerOr(node: OrExpression, context: LowerContext, lower: Lower): Evaluate {
  const left = lower(node.left, context);
  const right = lower(node.right, context);
  return (frame) => isTrue(left(frame)) || isTrue(right(frame));
}

export function lowerNot(node: NotExpression, context: LowerContext, lower: Lower): Evaluate {
  const operand = lower(node.expr, context);
  return (frame) => !isTrue(operand(frame));
}
