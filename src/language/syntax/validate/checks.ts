/** Which check is made of which kind of node. */

import type { AstNode, Expression } from '../ast.ts';
import { checkAssignment, checkParameter } from './check-assignment.ts';
import {
  checkClassOrDefine,
  checkFunction,
  checkTypeAlias,
  checkTypeDefinition,
  checkTypeMapping,
} from './check-definition.ts';
import {
  checkBlock,
  checkCall,
  checkCase,
  checkCaseOption,
  checkHash,
  checkInteger,
  checkKeyedEntry,
  checkList,
  checkQuery,
  checkReservedWord,
  checkSelector,
  checkVariable,
} from './check-expression.ts';
import { checkHeredoc } from './check-heredoc.ts';
import { checkEpp, checkLambda } from './check-lambda.ts';
import { checkNode } from './check-node.ts';
import {
  checkAttribute,
  checkCollect,
  checkResource,
  checkResourceBody,
  checkVirtualizable,
} from './check-resource.ts';
import { assertRvalue, checkOperands, checkRelationship } from './check-rvalue.ts';
import type { FileNamespace } from './file-namespace.ts';
import type { ValidationContext } from './validation-context.ts';

type Check<K extends AstNode['kind']> = (
  node: Extract<AstNode, { kind: K }>,
  context: ValidationContext,
  namespace: FileNamespace | undefined,
) => void;

const rvalueOfExpr = (node: { readonly expr: Expression }, context: ValidationContext): void =>
  assertRvalue(node.expr, context);

const rvalueOfTest = (node: { readonly test: Expression }, context: ValidationContext): void =>
  assertRvalue(node.test, context);

/** The checks; kinds that aren't listed can't be wrong by themselves. */
export const CHECKS: { readonly [K in AstNode['kind']]?: Check<K> } = {
  LiteralInteger: checkInteger,
  LiteralList: checkList,
  KeyedEntry: checkKeyedEntry,
  LiteralHash: checkHash,
  HeredocExpression: checkHeredoc,
  ReservedWord: checkReservedWord,
  VariableExpression: checkVariable,
  TextExpression: rvalueOfExpr,
  NotExpression: rvalueOfExpr,
  UnaryMinusExpression: rvalueOfExpr,
  UnfoldExpression: rvalueOfExpr,
  ParenthesizedExpression: rvalueOfExpr,
  ArithmeticExpression: checkOperands,
  ComparisonExpression: checkOperands,
  MatchExpression: checkOperands,
  InExpression: checkOperands,
  AndExpression: checkOperands,
  OrExpression: checkOperands,
  AssignmentExpression: checkAssignment,
  RelationshipExpression: checkRelationship,
  IfExpression: rvalueOfTest,
  UnlessExpression: rvalueOfTest,
  CaseOption: checkCaseOption,
  CaseExpression: checkCase,
  SelectorEntry: (node, context) => assertRvalue(node.matchingExpr, context),
  SelectorExpression: checkSelector,
  BlockExpression: checkBlock,
  CallNamedFunctionExpression: checkCall,
  LambdaExpression: checkLambda,
  Parameter: checkParameter,
  AttributeOperation: checkAttribute,
  AttributesOperation: rvalueOfExpr,
  ResourceBody: checkResourceBody,
  ResourceExpression: checkResource,
  ResourceDefaultsExpression: checkVirtualizable,
  ResourceOverrideExpression: checkVirtualizable,
  VirtualQuery: checkQuery,
  ExportedQuery: checkQuery,
  CollectExpression: checkCollect,
  HostClassDefinition: checkClassOrDefine,
  ResourceTypeDefinition: checkClassOrDefine,
  NodeDefinition: checkNode,
  FunctionDefinition: checkFunction,
  PlanDefinition: checkFunction,
  TypeAlias: checkTypeAlias,
  TypeDefinition: checkTypeDefinition,
  TypeMapping: checkTypeMapping,
  EppExpression: checkEpp,
  RenderExpression: rvalueOfExpr,
};
