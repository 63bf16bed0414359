/** Plain expressions. */

import type {
  AstNode,
  BlockExpression,
  CallNamedFunctionExpression,
  CaseExpression,
  CaseOption,
  ExportedQuery,
  Expression,
  KeyedEntry,
  LiteralHash,
  LiteralInteger,
  LiteralList,
  ReservedWord,
  SelectorExpression,
  VariableExpression,
  VirtualQuery,
} from '../ast.ts';
import { label } from '../label.ts';
import { assertRvalue } from './check-rvalue.ts';
import { isIdem } from './idem.ts';
import { literalKey } from './literal-key.ts';
import type { ValidationContext } from './validation-context.ts';

const MAX_INTEGER = 0x7fff_ffff_ffff_ffffn;

export function checkInteger(node: LiteralInteger, context: ValidationContext): void {
  if (typeof node.value !== 'bigint' || node.value <= MAX_INTEGER) return;
  context.report('numeric_overflow', node, { label: label(node), value: node.value });
}

export function checkList(node: LiteralList, context: ValidationContext): void {
  for (const value of node.values) assertRvalue(value, context);
}

export function checkKeyedEntry(node: KeyedEntry, context: ValidationContext): void {
  assertRvalue(node.key, context);
  assertRvalue(node.value, context);
}

export function checkHash(node: LiteralHash, context: ValidationContext): void {
  const seen = new Set<string>();
  for (const entry of node.entries) {
    const key = literalKey(entry.key, context.level.knowsLiteralTypes);
    if (key === undefined) continue;
    if (seen.has(key.identity)) context.report('duplicate_key', entry, { key: key.text });
    seen.add(key.identity);
  }
}

export function checkReservedWord(node: ReservedWord, context: ValidationContext): void {
  context.report(node.future ? 'future_reserved_word' : 'reserved_word', node, { word: node.word });
}

/** Only the last segment of a name may start with an underscore; numbers are decimal. */
export function checkVariable(node: VariableExpression, context: ValidationContext): void {
  const { expr } = node;
  if (expr.kind === 'LiteralInteger') return;
  if (expr.kind !== 'QualifiedName') {
    const values = { label: label(node), feature: 'name', container: label(node) };
    context.report('illegal_expression', node, values);
  } else if (/^[0-9]/.test(expr.value)) {
    if (!/^(?:0|[1-9][0-9]*)$/.test(expr.value)) {
      context.report('illegal_numeric_var_name', node, { name: expr.value });
    }
  } else if (!/^(?:::)?(?:[a-z]\w*::)*[a-z_]\w*$/.test(expr.value)) {
    context.report('illegal_var_name', node, { name: expr.value });
  }
}

/** A default may appear once; the second can't be reached. */
export function checkCase(node: CaseExpression, context: ValidationContext): void {
  assertRvalue(node.test, context);
  const values = node.options.flatMap((option) => option.values);
  const defaults = values.filter(({ kind }) => kind === 'LiteralDefault');
  for (const second of defaults.slice(1))
    context.report('duplicate_default', second, { container: label(node) });
}

export function checkCaseOption(node: CaseOption, context: ValidationContext): void {
  for (const value of node.values) assertRvalue(value, context);
}

export function checkSelector(node: SelectorExpression, context: ValidationContext): void {
  assertRvalue(node.leftExpr, context);
  const defaults = node.selectors.filter(({ matchingExpr }) => matchingExpr.kind === 'LiteralDefault');
  const [, second] = defaults;
  if (second === undefined) return;
  context.report('duplicate_default', second.matchingExpr, { container: label(node) });
}

/** Is it `name { a => 1 }`, a resource whose title was forgotten? */
export function isResourceWithoutTitle(node: AstNode): boolean {
  return titlelessName(node) !== undefined;
}

function titlelessName(node: AstNode): string | undefined {
  if (node.kind !== 'BlockExpression' || node.statements.length !== 2) return undefined;
  const [name, hash] = node.statements;
  return name?.kind === 'QualifiedName' && hash?.kind === 'LiteralHash' ? name.value : undefined;
}

/** Only the last value of a block is used; the first one that is lost is reported. */
export function checkBlock(node: BlockExpression, context: ValidationContext): void {
  const name = titlelessName(node);
  if (name !== undefined) {
    context.report('resource_without_title', node, { name });
    return;
  }
  const lost = node.statements.slice(0, -1).find(isIdem);
  if (lost !== undefined) context.report('idem_expression_not_last', lost, { label: label(lost) });
}

export function checkCall(node: CallNamedFunctionExpression, context: ValidationContext): void {
  const functor = node.functorExpr;
  const name = functor.kind === 'AccessExpression' ? functor.left : functor;
  if (functor.kind === 'QualifiedName' || name.kind === 'QualifiedReference') return;
  if (functor.kind === 'RenderStringExpression') {
    context.report('illegal_epp_parameters', node, {});
    return;
  }
  const values = { label: label(functor), feature: 'function name', container: label(node) };
  context.report('illegal_expression', functor, values);
}

/** Queries compare with `==` and `!=`, and combine with `and`, `or` and parentheses. */
export function checkQuery(node: VirtualQuery | ExportedQuery, context: ValidationContext): void {
  if (node.expr.kind !== 'Nop') checkQueryPart(node.expr, context);
}

function checkQueryPart(node: Expression, context: ValidationContext): void {
  switch (node.kind) {
    case 'AndExpression':
    case 'OrExpression':
      checkQueryPart(node.left, context);
      checkQueryPart(node.right, context);
      return;
    case 'ParenthesizedExpression':
      checkQueryPart(node.expr, context);
      return;
    case 'ComparisonExpression':
      if (node.operator === '==' || node.operator === '!=') return;
      break;
    case 'VariableExpression':
    case 'QualifiedName':
    case 'LiteralInteger':
    case 'LiteralFloat':
    case 'LiteralString':
    case 'LiteralBoolean':
      return;
    default:
  }
  context.report('illegal_query_expression', node, { label: label(node) });
}
