/** Function and method calls, and `Type(args)`. */

import type {
  CallMethodExpression,
  CallNamedFunctionExpression,
  Expression,
  LambdaExpression,
} from '../../syntax/index.ts';
import { aAn, aAnUpper, label } from '../../syntax/index.ts';
import { callFromCode } from '../calls/call-function.ts';
import type { CallSite } from '../calls/call-site.ts';
import { findMember } from '../calls/members.ts';
import { PuppetLambda } from '../calls/puppet-lambda.ts';
import { CallFromSite } from '../calls/ruby-caller.ts';
import { LoweredCallable } from '../definitions/callable.ts';
import { fail } from '../evaluation-error.ts';
import type { Frame } from '../runtime/frame.ts';
import { lowerSpliced } from './arguments.ts';
import { guarded } from './guarded.ts';
import type { Evaluate, Lower, LowerContext } from './lower-context.ts';

const callerAt = (site: CallSite) => new CallFromSite(site);

type MakeLambda = (frame: Frame) => PuppetLambda | undefined;

function lowerLambda(node: LambdaExpression | undefined, context: LowerContext, lower: Lower): MakeLambda {
  if (node === undefined) return () => undefined;
  const code = new LoweredCallable(node, { unit: context.unit, outer: context }, lower);
  return (frame) => new PuppetLambda(node, code, frame);
}

export function lowerCall(node: CallNamedFunctionExpression, context: LowerContext, lower: Lower): Evaluate {
  const { functorExpr } = node;
  const args = lowerSpliced(node.args, context, lower);
  const lambda = lowerLambda(node.lambda, context, lower);
  if (isTypeExpression(functorExpr)) {
    const type = lower(functorExpr, context);
    const evaluate: Evaluate = (frame) =>
      callFromCode('new', [type(frame), ...args(frame)], lambda(frame), { frame, node, unit: context.unit });
    return guarded(evaluate, node, context);
  }
  if (functorExpr.kind === 'RenderStringExpression') {
    const text =
      "Ambiguous EPP parameter expression. Probably missing '<%-' before parameters to remove leading whitespace";
    return () => fail('illegal_epp_parameters', text, node, context);
  }
  if (functorExpr.kind !== 'QualifiedName') return refuse(functorExpr, node, context);
  const name = functorExpr.value;
  const evaluate: Evaluate = (frame) =>
    callFromCode(name, args(frame), lambda(frame), { frame, node, unit: context.unit });
  return guarded(evaluate, node, context);
}

function isTypeExpression(expression: Expression): boolean {
  if (expression.kind === 'QualifiedReference') return true;
  return expression.kind === 'AccessExpression' && expression.left.kind === 'QualifiedReference';
}

function refuse(
  expression: Expression,
  container: CallNamedFunctionExpression | CallMethodExpression,
  context: LowerContext,
): Evaluate {
  const text = `Illegal expression. ${aAnUpper(label(expression))} is unacceptable as function name in ${aAn(label(container))}`;
  return () => fail('illegal_expression', text, expression, context);
}

export function lowerMethodCall(node: CallMethodExpression, context: LowerContext, lower: Lower): Evaluate {
  const { left, right } = node.functorExpr;
  if (right.kind !== 'QualifiedName') return refuse(node.functorExpr, node, context);
  const name = right.value;
  const receiver = lowerSpliced([left], context, lower);
  const args = lowerSpliced(node.args, context, lower);
  const lambda = lowerLambda(node.lambda, context, lower);
  const evaluate: Evaluate = (frame) => {
    const receivers = receiver(frame);
    const site = { frame, node, unit: context.unit };
    const member = findMember(receivers[0] ?? null, name, site, callerAt);
    if (member !== undefined) return member(args(frame), lambda(frame), site);
    return callFromCode(name, [...receivers, ...args(frame)], lambda(frame), site);
  };
  return guarded(evaluate, node, context);
}
