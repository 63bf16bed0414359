/** Lists of expressions in which `*expr` stands for several values. */

import { IteratorValue, isArray, PuppetHash, type Value } from '../../pcore/index.ts';
import type { Expression } from '../../syntax/index.ts';
import type { Frame } from '../runtime/frame.ts';
import type { Evaluate, Lower, LowerContext } from './lower-context.ts';

export type EvaluateAll = (frame: Frame) => Value[];

export function lowerSpliced(
  expressions: readonly Expression[],
  context: LowerContext,
  lower: Lower,
): EvaluateAll {
  const parts = expressions.map((expression) => lower(expression, context));
  if (!expressions.some(isSplat)) return (frame) => evaluateEach(parts, frame);
  const splats = expressions.map(isSplat);
  return (frame) => {
    const result: Value[] = [];
    for (const [index, part] of parts.entries()) {
      const value = part(frame);
      // A splat evaluates to an array, always.
      if (splats[index] === true && isArray(value)) for (const item of value) result.push(item);
      else result.push(value);
    }
    return result;
  };
}

function evaluateEach(parts: readonly Evaluate[], frame: Frame): Value[] {
  const result: Value[] = [];
  for (const part of parts) result.push(part(frame));
  return result;
}

/** `expr` without the parentheses around it. */
export function withoutParentheses(expression: Expression): Expression {
  return expression.kind === 'ParenthesizedExpression' ? withoutParentheses(expression.expr) : expression;
}

function isSplat(expression: Expression): boolean {
  return withoutParentheses(expression).kind === 'UnfoldExpression';
}

/** What `*value` stands for. */
export function unfold(value: Value): readonly Value[] {
  if (value === null) return [];
  if (isArray(value)) return value;
  if (value instanceof PuppetHash) return [...value].map(([key, item]) => [key, item]);
  if (value instanceof IteratorValue) return [...value];
  return [value];
}
