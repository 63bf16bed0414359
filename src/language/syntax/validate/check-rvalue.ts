/** Operands must have values. */

import type { Expression, RelationshipExpression } from '../ast.ts';
import { label } from '../label.ts';
import type { ValidationContext } from './validation-context.ts';

/** Reports an expression that has no value, looking through unary operators. */
export function assertRvalue(node: Expression, context: ValidationContext): void {
  switch (node.kind) {
    case 'CollectExpression':
    case 'HostClassDefinition':
    case 'ResourceTypeDefinition':
    case 'NodeDefinition':
    case 'FunctionDefinition':
    case 'PlanDefinition':
    case 'TypeAlias':
    case 'TypeDefinition':
    case 'TypeMapping':
      context.report('not_rvalue', node, { label: label(node) });
      return;
    case 'NotExpression':
    case 'UnaryMinusExpression':
    case 'UnfoldExpression':
    case 'ParenthesizedExpression':
    case 'TextExpression':
    case 'RenderExpression':
      assertRvalue(node.expr, context);
      return;
    default:
  }
}

export function checkOperands(
  { left, right }: { readonly left: Expression; readonly right: Expression },
  context: ValidationContext,
): void {
  assertRvalue(left, context);
  assertRvalue(right, context);
}

/** Unlike other operands those of a relationship may be collectors. */
export function checkRelationship({ left, right }: RelationshipExpression, context: ValidationContext): void {
  if (left.kind !== 'CollectExpression') assertRvalue(left, context);
  if (right.kind !== 'CollectExpression') assertRvalue(right, context);
}
