/** Expressions as they are written. */

import type { AstNode, Expression } from './ast.ts';
import { visitChildren } from './children.ts';

/** The text of an expression, from its first part to its last: an operator stands in the middle of them. */
export function writtenText(expression: Expression, text: string): string {
  let [start, end] = [expression.offset, expression.offset + expression.length];
  const visit = (node: AstNode): void => {
    start = Math.min(start, node.offset);
    end = Math.max(end, node.offset + node.length);
    visitChildren(node, visit);
  };
  visit(expression);
  return text.slice(start, end);
}
