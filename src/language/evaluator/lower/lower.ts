/** Turns every kind of expression into a closure. */

import type { Expression } from '../../syntax/index.ts';
import { lowerArithmetic, lowerMinus } from '../operators/arithmetic.ts';
import { lowerAnd, lowerComparison, lowerNot, lowerOr } from '../operators/comparison.ts';
import { lowerIn, lowerMatch } from '../operators/match.ts';
import { lowerRelationship } from '../resources/relationship.ts';
import { lowerAccess } from './access.ts';
import { unfold } from './arguments.ts';
import { lowerAssignment } from './assignment.ts';
import { lowerCall, lowerMethodCall } from './calls.ts';
import { lowerResource, lowerResourceDefaults, lowerResourceOverride } from './catalog-expressions.ts';
import { lowerCollect } from './collect.ts';
import { lowerBlock, lowerCase, lowerIf, lowerSelector, lowerUnless } from './control.ts';
import {
  constant,
  evaluateDefault,
  evaluateUndef,
  lowerConcatenation,
  lowerFloat,
  lowerHash,
  lowerHeredoc,
  lowerInteger,
  lowerList,
  lowerRegularExpression,
  lowerText,
} from './literals.ts';
import type { Evaluate, LowerContext } from './lower-context.ts';
import { lowerReservedWord, refuseInPlace } from './refused.ts';
import { lowerRender, lowerRenderString } from './templates.ts';
import { lowerTypeReference } from './type-reference.ts';
import { lowerVariable } from './variables.ts';

type Lowerers = {
  readonly [K in Expression['kind']]: (
    node: Extract<Expression, { kind: K }>,
    context: LowerContext,
  ) => Evaluate;
};

const lowerers: Lowerers = {
  LiteralInteger: lowerInteger,
  LiteralFloat: (node) => lowerFloat(node.value),
  LiteralString: (node) => constant(node.value),
  LiteralBoolean: (node) => constant(node.value),
  LiteralUndef: () => evaluateUndef,
  LiteralDefault: () => evaluateDefault,
  LiteralRegularExpression: lowerRegularExpression,
  LiteralList: (node, context) => lowerList(node.values, context, lower),
  LiteralHash: (node, context) => lowerHash(node, context, lower),
  ConcatenatedString: (node, context) => lowerConcatenation(node, context, lower),
  TextExpression: (node, context) => lowerText(node, context, lower),
  HeredocExpression: (node, context) => lowerHeredoc(node, context, lower),
  QualifiedName: (node) => constant(node.value),
  QualifiedReference: lowerTypeReference,
  ReservedWord: lowerReservedWord,
  VariableExpression: lowerVariable,
  AccessExpression: (node, context) => lowerAccess(node, context, lower),
  NamedAccessExpression: refuseInPlace,
  NotExpression: (node, context) => lowerNot(node, context, lower),
  UnaryMinusExpression: (node, context) => lowerMinus(node.expr, node, context, lower),
  UnfoldExpression: (node, context) => {
    const evaluate = lower(node.expr, context);
    return (frame) => unfold(evaluate(frame));
  },
  ParenthesizedExpression: (node, context) => lower(node.expr, context),
  ArithmeticExpression: (node, context) => lowerArithmetic(node, context, lower),
  ComparisonExpression: (node, context) => lowerComparison(node, context, lower),
  MatchExpression: (node, context) => lowerMatch(node, context, lower),
  InExpression: (node, context) => lowerIn(node, context, lower),
  AndExpression: (node, context) => lowerAnd(node, context, lower),
  OrExpression: (node, context) => lowerOr(node, context, lower),
  AssignmentExpression: (node, context) => lowerAssignment(node, context, lower),
  RelationshipExpression: (node, context) => lowerRelationship(node, context, lower),
  IfExpression: (node, context) => lowerIf(node, context, lower),
  UnlessExpression: (node, context) => lowerUnless(node, context, lower),
  CaseExpression: (node, context) => lowerCase(node, context, lower),
  SelectorExpression: (node, context) => lowerSelector(node, context, lower),
  BlockExpression: (node, context) => lowerBlock(node, context, lower),
  Nop: () => evaluateUndef,
  CallNamedFunctionExpression: (node, context) => lowerCall(node, context, lower),
  CallMethodExpression: (node, context) => lowerMethodCall(node, context, lower),
  LambdaExpression: refuseInPlace,
  ResourceExpression: (node, context) => lowerResource(node, context, lower),
  ResourceDefaultsExpression: (node, context) => lowerResourceDefaults(node, context, lower),
  ResourceOverrideExpression: (node, context) => lowerResourceOverride(node, context, lower),
  CollectExpression: (node, context) => lowerCollect(node, context, lower),
  EppExpression: (node, context) => lower(node.body, context),
  RenderStringExpression: lowerRenderString,
  RenderExpression: (node, context) => lowerRender(node, context, lower),
  // Definitions are found by the environment; where they stand they do nothing.
  HostClassDefinition: () => evaluateUndef,
  ResourceTypeDefinition: () => evaluateUndef,
  NodeDefinition: () => evaluateUndef,
  FunctionDefinition: () => evaluateUndef,
  PlanDefinition: () => evaluateUndef,
  TypeAlias: () => evaluateUndef,
  TypeDefinition: () => evaluateUndef,
  TypeMapping: () => evaluateUndef,
};

/** The closure of an expression. Done once for each place in the code. */
export function lower(expression: Expression, context: LowerContext): Evaluate {
  // The table has the right function for the kind: TypeScript cannot see that through the union.
  const lowerer = lowerers[expression.kind] as (node: Expression, context: LowerContext) => Evaluate;
  return lowerer(expression, context);
}
