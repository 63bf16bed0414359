/** What plans may not do: catalogs are made within `apply` only. */

import type { AstNode } from '../ast.ts';
import { label } from '../label.ts';
import type { ValidationContext } from './validation-context.ts';

const NOWHERE: ReadonlySet<AstNode['kind']> = new Set<AstNode['kind']>([
  'HostClassDefinition',
  'ResourceTypeDefinition',
]);

const WITHIN_APPLY: ReadonlySet<AstNode['kind']> = new Set<AstNode['kind']>([
  'CollectExpression',
  'NodeDefinition',
  'RelationshipExpression',
  'ResourceDefaultsExpression',
  'ResourceExpression',
  'ResourceOverrideExpression',
]);

/** Reports a node that no plan may have where it is. @returns whether it may be there */
export function isFitForPlan(node: AstNode, context: ValidationContext): boolean {
  const isWithin = context.path.some(isApply);
  if (NOWHERE.has(node.kind) || (WITHIN_APPLY.has(node.kind) && !isWithin)) {
    context.report('expression_not_supported_when_scripting', node, { label: label(node) });
    return false;
  }
  if (!isWithin || !(isApply(node) || isExportedCollector(node))) return true;
  context.report('expression_not_supported_when_compiling', node, {
    label: isApply(node) ? "'apply' expression" : label(node),
  });
  return false;
}

/** Whether a node of a plan begins a catalog. */
export function isApply(node: AstNode): boolean {
  if (node.kind !== 'CallNamedFunctionExpression' || node.lambda === undefined) return false;
  const { functorExpr } = node;
  return functorExpr.kind === 'QualifiedName' && functorExpr.value === 'apply';
}

function isExportedCollector(node: AstNode): boolean {
  return node.kind === 'CollectExpression' && node.query.kind === 'ExportedQuery';
}
