/** Blocks, conditions and choices. */

import { isArray, plainText, type Value } from '../../pcore/index.ts';
import type {
  BlockExpression,
  CaseExpression,
  Expression,
  IfExpression,
  SelectorExpression,
  UnlessExpression,
} from '../../syntax/index.ts';
import { fail } from '../evaluation-error.ts';
import { matchesOption } from '../operators/match.ts';
import type { Frame } from '../runtime/frame.ts';
import { withoutParentheses } from './arguments.ts';
import { evaluateUndef } from './literals.ts';
import type { Evaluate, Lower, LowerContext } from './lower-context.ts';

export function isTrue(value: Value): boolean {
  return value !== null && value !== false;
}

export function lowerBlock(node: BlockExpression, context: LowerContext, lower: Lower): Evaluate {
  const statements = node.statements.map((statement) => lower(statement, context));
  const [only] = statements;
  if (only === undefined) return evaluateUndef;
  if (statements.length === 1) return only;
  return (frame) => {
    let last: Value = null;
    for (const statement of statements) last = statement(frame);
    return last;
  };
}

/** Match variables that are set inside do not outlive it. */
function withOwnMatch(evaluate: Evaluate): Evaluate {
  return (frame) => {
    const before = frame.match;
    const value = evaluate(frame);
    frame.match = before;
    return value;
  };
}

export function lowerIf(node: IfExpression, context: LowerContext, lower: Lower): Evaluate {
  const test = lower(node.test, context);
  const thenBranch = lower(node.thenExpr, context);
  const elseBranch = lower(node.elseExpr, context);
  return withOwnMatch((frame) => (isTrue(test(frame)) ? thenBranch(frame) : elseBranch(frame)));
}

export function lowerUnless(node: UnlessExpression, context: LowerContext, lower: Lower): Evaluate {
  const test = lower(node.test, context);
  const thenBranch = lower(node.thenExpr, context);
  const elseBranch = lower(node.elseExpr, context);
  return withOwnMatch((frame) => (isTrue(test(frame)) ? elseBranch(frame) : thenBranch(frame)));
}

interface Choice {
  readonly isMatch: (tested: Value, frame: Frame) => boolean;
  readonly evaluate: Evaluate;
}

function lowerCandidate(expression: Expression, context: LowerContext, lower: Lower): Choice['isMatch'] {
  const bare = withoutParentheses(expression);
  const candidate = lower(bare, context);
  if (bare.kind !== 'UnfoldExpression')
    return (tested, frame) => matchesOption(tested, candidate(frame), frame);
  return (tested, frame) => {
    const values = candidate(frame);
    return isArray(values) && values.some((value) => matchesOption(tested, value, frame));
  };
}

function isDefaultLiteral(expression: Expression): boolean {
  return withoutParentheses(expression).kind === 'LiteralDefault';
}

export function lowerCase(node: CaseExpression, context: LowerContext, lower: Lower): Evaluate {
  const test = lower(node.test, context);
  let otherwise: Evaluate = evaluateUndef;
  const choices = node.options.map((option) => {
    const evaluate = lower(option.thenExpr, context);
    if (option.values.some(isDefaultLiteral)) otherwise = evaluate;
    const candidates = option.values
      .filter((value) => !isDefaultLiteral(value))
      .map((value) => lowerCandidate(value, context, lower));
    return { candidates, evaluate };
  });
  return withOwnMatch((frame) => {
    const tested = test(frame);
    for (const { candidates, evaluate } of choices) {
      if (candidates.some((isMatch) => isMatch(tested, frame))) return evaluate(frame);
    }
    return otherwise(frame);
  });
}

export function lowerSelector(node: SelectorExpression, context: LowerContext, lower: Lower): Evaluate {
  const test = lower(node.leftExpr, context);
  let otherwise: Evaluate | undefined;
  const choices: Choice[] = [];
  for (const entry of node.selectors) {
    const evaluate = lower(entry.valueExpr, context);
    if (isDefaultLiteral(entry.matchingExpr)) otherwise = evaluate;
    else choices.push({ isMatch: lowerCandidate(entry.matchingExpr, context, lower), evaluate });
  }
  return withOwnMatch((frame) => {
    const tested = test(frame);
    for (const { isMatch, evaluate } of choices) if (isMatch(tested, frame)) return evaluate(frame);
    if (otherwise !== undefined) return otherwise(frame);
    return fail(
      'unmatched_selector',
      `No matching entry for selector parameter with value '${plainText(tested)}'`,
      node.leftExpr,
      context,
    );
  });
}
