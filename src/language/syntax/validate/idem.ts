/** Expressions that do nothing but have a value: pointless where the value is thrown away. */

import type { AstNode } from '../ast.ts';

const ALWAYS: ReadonlySet<AstNode['kind']> = new Set<AstNode['kind']>([
  'Nop',
  'LiteralInteger',
  'LiteralFloat',
  'LiteralString',
  'LiteralBoolean',
  'LiteralUndef',
  'LiteralDefault',
  'LiteralRegularExpression',
  'QualifiedName',
  'QualifiedReference',
  'LiteralList',
  'LiteralHash',
  'AccessExpression',
  'NamedAccessExpression',
  'ArithmeticExpression',
  'ComparisonExpression',
  'InExpression',
  'AndExpression',
  'OrExpression',
  'NotExpression',
  'UnaryMinusExpression',
  'UnfoldExpression',
  'VariableExpression',
  'TextExpression',
  // Interpolated expressions may do something, but should not be there for that.
  'ConcatenatedString',
  'HeredocExpression',
  'SelectorExpression',
]);

/** Is it known that evaluating the expression changes nothing? */
export function isIdem(node: AstNode): boolean {
  if (ALWAYS.has(node.kind)) return true;
  switch (node.kind) {
    case 'ParenthesizedExpression':
      return isIdem(node.expr);
    case 'BlockExpression':
      return node.statements.every(isIdem);
    case 'IfExpression':
    case 'UnlessExpression':
      return isIdem(node.test) && isIdem(node.thenExpr) && isIdem(node.elseExpr);
    case 'CaseExpression':
      return isIdem(node.test) && node.options.every(isIdem);
    case 'CaseOption':
      return node.values.every(isIdem) && isIdem(node.thenExpr);
    default:
      return false;
  }
}

/** The expression that a body ends with, if that does nothing; an empty body is fine. */
export function pointlessEnd(body: AstNode): AstNode | undefined {
  if (body.kind === 'Nop') return undefined;
  const last = body.kind === 'BlockExpression' ? body.statements.at(-1) : body;
  return last !== undefined && isIdem(last) ? last : undefined;
}
