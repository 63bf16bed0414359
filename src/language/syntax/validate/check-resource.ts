/** Resources, their attributes, and collectors. */

import type {
  AttributeOperation,
  CollectExpression,
  ResourceBody,
  ResourceDefaultsExpression,
  ResourceExpression,
  ResourceOverrideExpression,
} from '../ast.ts';
import { label } from '../label.ts';
import { assertRvalue } from './check-rvalue.ts';
import type { ValidationContext } from './validation-context.ts';

/** `+>` makes sense only when there is a value to add to. */
export function checkAttribute(node: AttributeOperation, context: ValidationContext): void {
  const parent = context.container();
  const mayAppend = parent?.kind === 'CollectExpression' || parent?.kind === 'ResourceOverrideExpression';
  if (node.operator === '+>' && !mayAppend && parent !== undefined) {
    context.report('illegal_attribute_append', node, { name: node.attributeName, parent: label(parent) });
  }
  assertRvalue(node.valueExpr, context);
}

export function checkResourceBody(node: ResourceBody, context: ValidationContext): void {
  const unfolded = node.operations.filter(({ kind }) => kind === 'AttributesOperation');
  for (const second of unfolded.slice(1)) context.report('multiple_attributes_unfold', second, {});
}

export function checkResource(node: ResourceExpression, context: ValidationContext): void {
  const { form, typeName } = node;
  if (form !== 'regular' && typeName.kind === 'QualifiedName' && typeName.value === 'class') {
    context.report('class_not_virtualizable', node, {});
  }
}

export function checkVirtualizable(
  node: ResourceDefaultsExpression | ResourceOverrideExpression,
  context: ValidationContext,
): void {
  if (node.form !== 'regular') context.report('not_virtualizeable', node, {});
}

export function checkCollect(node: CollectExpression, context: ValidationContext): void {
  const { typeExpr } = node;
  if (typeExpr.kind === 'QualifiedReference') return;
  const values = { label: label(typeExpr), feature: 'type name', container: label(node) };
  context.report('illegal_expression', typeExpr, values);
}
