/** What messages call each kind of node, without an article. */

import type { AstNode } from './ast.ts';

type Labels = {
  readonly [K in AstNode['kind']]: string | ((node: Extract<AstNode, { kind: K }>) => string);
};

/** The label of a node: `Host Class Definition`, `'==' expression`. */
export function label(node: AstNode): string {
  const found = LABELS[node.kind];
  return typeof found === 'string' ? found : found(node as never);
}

const byOperator = (node: { readonly operator: string }): string => `'${node.operator}' expression`;

const LABELS: Labels = {
  LiteralInteger: 'Literal Integer',
  LiteralFloat: 'Literal Float',
  LiteralString: 'String',
  LiteralBoolean: 'Boolean',
  LiteralUndef: "'undef' expression",
  LiteralDefault: "'default' expression",
  LiteralRegularExpression: 'Regular Expression',
  LiteralList: 'Array Expression',
  KeyedEntry: 'Hash Entry',
  LiteralHash: 'Hash Expression',
  ConcatenatedString: 'Double Quoted String',
  TextExpression: 'Expression in Interpolated String',
  HeredocExpression: (node) => `'@(${node.syntax})' expression`,
  QualifiedName: 'Name',
  QualifiedReference: 'Type-Name',
  ReservedWord: (node) => `Reserved Word '${node.word}'`,
  VariableExpression: 'Variable',
  AccessExpression: "'[]' expression",
  NamedAccessExpression: "'.' expression",
  NotExpression: "'not' expression",
  UnaryMinusExpression: 'Unary Minus',
  UnfoldExpression: 'Unfold',
  ParenthesizedExpression: 'Parenthesized Expression',
  ArithmeticExpression: byOperator,
  ComparisonExpression: byOperator,
  MatchExpression: byOperator,
  InExpression: "'in' expression",
  AndExpression: "'and' expression",
  OrExpression: "'or' expression",
  AssignmentExpression: byOperator,
  RelationshipExpression: byOperator,
  IfExpression: "'if' statement",
  UnlessExpression: "'unless' Statement",
  CaseOption: 'Case Option',
  CaseExpression: "'case' statement",
  SelectorEntry: 'Selector Option',
  SelectorExpression: 'Selector Expression',
  BlockExpression: 'Block Expression',
  Nop: 'Nop Expression',
  CallNamedFunctionExpression: 'Function Call',
  CallMethodExpression: 'Method call',
  LambdaExpression: 'Lambda',
  Parameter: 'Parameter Definition',
  AttributeOperation: byOperator,
  AttributesOperation: 'AttributesOperation',
  ResourceBody: 'Resource Instance Definition',
  ResourceExpression: 'Resource Statement',
  ResourceDefaultsExpression: 'Resource Defaults Expression',
  ResourceOverrideExpression: 'Resource Override',
  VirtualQuery: 'Virtual Query',
  ExportedQuery: 'Exported Query',
  CollectExpression: (node) => label(node.query),
  HostClassDefinition: 'Host Class Definition',
  ResourceTypeDefinition: "'define' expression",
  NodeDefinition: 'Node Definition',
  FunctionDefinition: 'Function Definition',
  PlanDefinition: 'Plan Definition',
  TypeAlias: 'Type Alias',
  TypeDefinition: 'Type Definition',
  TypeMapping: 'Type Mapping',
  EppExpression: 'Epp Template',
  RenderStringExpression: 'Epp Text',
  RenderExpression: 'Epp Interpolated Expression',
  Program: 'Program',
};
