/** Parameter lists, and the return types behind them. */

import type { AstNode, EppExpression, Expression, LambdaExpression, Parameter } from '../ast.ts';
import { label } from '../label.ts';
import type { ValidationContext } from './validation-context.ts';

export function checkLambda(node: LambdaExpression, context: ValidationContext): void {
  const last = node.parameters.at(-1);
  for (const parameter of node.parameters) {
    if (parameter.capturesRest && parameter !== last) {
      context.report('captures_rest_not_last', parameter, { name: parameter.name });
    }
  }
  checkReturnType(node, node.returnType, context);
}

/** A template's parameters are those of a lambda to the reference, which are reported after the lambda's own. */
export function checkEpp(node: EppExpression, context: ValidationContext): void {
  const last = node.parameters.at(-1);
  for (const parameter of node.parameters) {
    if (parameter.capturesRest && parameter !== last) {
      context.report('captures_rest_not_last', parameter, { name: parameter.name });
    }
  }
  checkNoCapture(node.parameters, node, context);
  checkUniqueNames(node.parameters, context);
}

export function checkReturnType(
  owner: AstNode,
  type: Expression | undefined,
  context: ValidationContext,
): void {
  if (type !== undefined) checkTypeReference(owner, type, context);
}

export function checkTypeReference(owner: AstNode, type: Expression, context: ValidationContext): void {
  const named = type.kind === 'AccessExpression' ? type.left : type;
  if (named.kind !== 'QualifiedReference') {
    const values = { label: label(type), feature: 'a type reference', container: label(owner) };
    context.report('illegal_expression', type, values);
  } else if (named.value.toLowerCase() === 'plan') {
    context.report('future_reserved_word', type, { word: 'plan' });
  }
}

export function checkNoCapture(
  parameters: readonly Parameter[],
  owner: AstNode,
  context: ValidationContext,
): void {
  for (const parameter of parameters) {
    if (!parameter.capturesRest) continue;
    context.report('captures_rest_not_supported', parameter, {
      name: parameter.name,
      container: label(owner),
    });
  }
}

export function checkUniqueNames(parameters: readonly Parameter[], context: ValidationContext): void {
  const seen = new Set<string>();
  for (const parameter of parameters) {
    const { name } = parameter;
    if (seen.has(name)) context.report('duplicate_parameter', parameter, { name });
    seen.add(name);
  }
}
