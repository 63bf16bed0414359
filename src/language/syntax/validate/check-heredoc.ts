/** Heredocs that say what language their text is in. */

import type { HeredocExpression } from '../ast.ts';
import { PuppetError } from '../diagnostic.ts';
import { externalSyntaxMistake } from './external-syntax.ts';
import { heredocCheckers } from './heredoc-checkers.ts';
import type { ValidationContext } from './validation-context.ts';

/**
 * Checks text without interpolations; the evaluator checks the others.
 *
 * @throws PuppetError at once, before other mistakes: so it is in the reference
 */
export function checkHeredoc(node: HeredocExpression, context: ValidationContext): void {
  const { textExpr, syntax } = node;
  if (syntax === '' || textExpr.kind !== 'LiteralString') return;
  const message = externalSyntaxMistake(textExpr.value, syntax, heredocCheckers());
  if (message === undefined) return;
  throw new PuppetError({ code: 'illegal_text', severity: 'error', message, ...context.position(textExpr) });
}
