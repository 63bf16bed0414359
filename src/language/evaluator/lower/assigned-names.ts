/** Finds the variables that a body of code may set, so that each gets a slot. */

import type { AstNode, Expression } from '../../syntax/index.ts';
import type { Layout } from '../runtime/layout.ts';

/** Declares every variable that is assigned in `node`, not looking into lambdas and definitions. */
export function declareAssignedNames(node: AstNode, layout: Layout): void {
  const pending: AstNode[] = [node];
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    if (current.kind === 'AssignmentExpression') declareTarget(current.left, layout);
    for (const child of childrenOf(current)) {
      if (child !== undefined && !hasOwnVariables(child)) pending.push(child);
    }
  }
}

function declareTarget(target: Expression, layout: Layout): void {
  if (target.kind === 'VariableExpression' && target.expr.kind === 'QualifiedName') {
    if (!target.expr.value.includes('::')) layout.declare(target.expr.value);
  } else if (target.kind === 'LiteralList') {
    for (const item of target.values) declareTarget(item, layout);
  }
}

function hasOwnVariables({ kind }: AstNode): boolean {
  return kind === 'LambdaExpression' || kind.endsWith('Definition') || kind.startsWith('TypeAlias');
}

/** Every node below, whatever the kind: trees hold nothing else that has a `kind`. */
function* childrenOf(node: AstNode): Iterable<AstNode | undefined> {
  for (const value of Object.values(node) as readonly unknown[]) {
    if (Array.isArray(value)) yield* value.filter(isNode);
    else if (isNode(value)) yield value;
  }
}

function isNode(value: unknown): value is AstNode {
  return typeof value === 'object' && value !== null && 'kind' in value;
}
