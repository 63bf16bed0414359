/** What can be assigned to, and where. */

import type { AssignmentExpression, AstNode, Expression, Parameter, VariableExpression } from '../ast.ts';
import { visitChildren } from '../children.ts';
import { label } from '../label.ts';
import { assertRvalue } from './check-rvalue.ts';
import type { ValidationContext } from './validation-context.ts';

export function checkAssignment(node: AssignmentExpression, context: ValidationContext): void {
  if (node.operator !== '=') {
    context.report('appends_deletes_no_longer_supported', node, { operator: node.operator });
    return;
  }
  checkTarget(node.left, context);
  assertRvalue(node.right, context);
}

export function checkParameter(node: Parameter, context: ValidationContext): void {
  const { name, value } = node;
  if (/^(?:0x)?[0-9]+$/.test(name)) context.report('illegal_numeric_parameter', node, { name });
  if (!/^[a-z_]\w*$/.test(name)) context.report('illegal_param_name', node, { name });
  if (value !== undefined) refuseAssignments(value, context);
}

function checkTarget(target: Expression, context: ValidationContext): void {
  switch (target.kind) {
    case 'VariableExpression':
      checkVariableTarget(target, context);
      return;
    case 'AccessExpression':
      context.report('illegal_indexed_assignment', target, {});
      return;
    case 'LiteralList':
      for (const value of target.values) checkTarget(value, context);
      return;
    default:
      context.report('illegal_assignment', target, { label: label(target) });
  }
}

function checkVariableTarget(target: VariableExpression, context: ValidationContext): void {
  const { expr } = target;
  if (expr.kind === 'LiteralInteger') {
    context.report('illegal_numeric_assignment', target, { name: `${expr.value}` });
  } else if (expr.kind === 'QualifiedName' && expr.value.includes('::')) {
    context.report('cross_scope_assignment', target, { name: expr.value });
  }
}

/** The default of a parameter may assign within lambdas only. */
function refuseAssignments(node: AstNode, context: ValidationContext): void {
  if (node.kind === 'AssignmentExpression') context.report('illegal_assignment_context', node, {});
  else if (node.kind !== 'LambdaExpression')
    visitChildren(node, (child) => refuseAssignments(child, context));
}
