/** The parts of each kind of node, in the order in which the reference visits them. */

import type { AstNode, Expression } from './ast.ts';

type Visit = (node: AstNode) => void;
type Children = {
  readonly [K in AstNode['kind']]: (node: Extract<AstNode, { kind: K }>, visit: Visit) => void;
};

/** Calls `visit` for each direct part of a node. */
export function visitChildren(node: AstNode, visit: Visit): void {
  CHILDREN[node.kind](node as never, visit);
}

const none = (): void => undefined;
const single = (node: { readonly expr: Expression }, visit: Visit): void => visit(node.expr);
const pair = (node: { readonly left: Expression; readonly right: Expression }, visit: Visit): void => {
  visit(node.left);
  visit(node.right);
};

function each(nodes: readonly AstNode[], visit: Visit): void {
  for (const node of nodes) visit(node);
}

function optional(node: AstNode | undefined, visit: Visit): void {
  if (node !== undefined) visit(node);
}

function condition(
  node: { readonly test: Expression; readonly thenExpr: Expression; readonly elseExpr: Expression },
  visit: Visit,
): void {
  visit(node.test);
  visit(node.thenExpr);
  visit(node.elseExpr);
}

function functionCall(
  node: {
    readonly functorExpr: AstNode;
    readonly args: readonly AstNode[];
    readonly lambda: AstNode | undefined;
  },
  visit: Visit,
): void {
  visit(node.functorExpr);
  each(node.args, visit);
  optional(node.lambda, visit);
}

function definition(
  node: {
    readonly parameters: readonly AstNode[];
    readonly body: AstNode;
    readonly returnType?: AstNode | undefined;
  },
  visit: Visit,
): void {
  each(node.parameters, visit);
  visit(node.body);
  optional(node.returnType, visit);
}

const CHILDREN: Children = {
  LiteralInteger: none,
  LiteralFloat: none,
  LiteralString: none,
  LiteralBoolean: none,
  LiteralUndef: none,
  LiteralDefault: none,
  LiteralRegularExpression: none,
  LiteralList: (node, visit) => each(node.values, visit),
  KeyedEntry: (node, visit) => {
    visit(node.key);
    visit(node.value);
  },
  LiteralHash: (node, visit) => each(node.entries, visit),
  ConcatenatedString: (node, visit) => each(node.segments, visit),
  TextExpression: single,
  HeredocExpression: (node, visit) => visit(node.textExpr),
  QualifiedName: none,
  QualifiedReference: none,
  ReservedWord: none,
  VariableExpression: single,
  AccessExpression: (node, visit) => {
    visit(node.left);
    each(node.keys, visit);
  },
  NamedAccessExpression: pair,
  NotExpression: single,
  UnaryMinusExpression: single,
  UnfoldExpression: single,
  ParenthesizedExpression: single,
  ArithmeticExpression: pair,
  ComparisonExpression: pair,
  MatchExpression: pair,
  InExpression: pair,
  AndExpression: pair,
  OrExpression: pair,
  AssignmentExpression: pair,
  RelationshipExpression: pair,
  IfExpression: condition,
  UnlessExpression: condition,
  CaseOption: (node, visit) => {
    each(node.values, visit);
    visit(node.thenExpr);
  },
  CaseExpression: (node, visit) => {
    visit(node.test);
    each(node.options, visit);
  },
  SelectorEntry: (node, visit) => {
    visit(node.matchingExpr);
    visit(node.valueExpr);
  },
  SelectorExpression: (node, visit) => {
    visit(node.leftExpr);
    each(node.selectors, visit);
  },
  BlockExpression: (node, visit) => each(node.statements, visit),
  Nop: none,
  CallNamedFunctionExpression: functionCall,
  CallMethodExpression: functionCall,
  LambdaExpression: definition,
  Parameter: (node, visit) => {
    optional(node.value, visit);
    optional(node.typeExpr, visit);
  },
  AttributeOperation: (node, visit) => visit(node.valueExpr),
  AttributesOperation: single,
  ResourceBody: (node, visit) => {
    visit(node.title);
    each(node.operations, visit);
  },
  ResourceExpression: (node, visit) => {
    visit(node.typeName);
    each(node.bodies, visit);
  },
  ResourceDefaultsExpression: (node, visit) => {
    visit(node.typeRef);
    each(node.operations, visit);
  },
  ResourceOverrideExpression: (node, visit) => {
    visit(node.resources);
    each(node.operations, visit);
  },
  VirtualQuery: single,
  ExportedQuery: single,
  CollectExpression: (node, visit) => {
    visit(node.typeExpr);
    visit(node.query);
    each(node.operations, visit);
  },
  HostClassDefinition: definition,
  ResourceTypeDefinition: definition,
  NodeDefinition: (node, visit) => {
    optional(node.parent, visit);
    each(node.hostMatches, visit);
    visit(node.body);
  },
  FunctionDefinition: definition,
  PlanDefinition: definition,
  TypeAlias: (node, visit) => visit(node.typeExpr),
  TypeDefinition: (node, visit) => visit(node.body),
  TypeMapping: (node, visit) => {
    visit(node.typeExpr);
    visit(node.mappingExpr);
  },
  EppExpression: definition,
  RenderStringExpression: none,
  RenderExpression: single,
  Program: (node, visit) => visit(node.body),
};
