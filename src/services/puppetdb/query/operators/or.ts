/** `["or", condition, ...]` */

import { isClause } from '../ast.ts';
import { findColumn } from '../entity.ts';
import { bound, chained, type Fragment, fragment, joined, raw } from '../fragment.ts';
import { QueryError } from '../query-error.ts';
import type { Operator, OperatorContext } from './operator.ts';

export const or: Operator = (clause, context) => {
  if (clause.length < 2) throw new QueryError("'or' takes at least one argument, but none were supplied");
  const conditions: Fragment[] = [];
  const listed = new Map<string, string[]>();
  for (const argument of clause.slice(1)) {
    // Also each part of a combination: it may be wrong.
    const condition = context.condition(argument);
    const found = textEquality(argument, context);
    if (found === undefined) conditions.push(condition);
    else gather(listed, found.sql, found.value);
  }
  for (const [sql, values] of listed) conditions.push(oneOf(sql, values, context));
  return chained(conditions, 'or');
};

function gather(listed: Map<string, string[]>, sql: string, value: string): void {
  const values = listed.get(sql);
  if (values === undefined) listed.set(sql, [value]);
  else values.push(value);
}

/** Databases take some ten thousand values of a statement; more than these go together as one. */
const mostBound = 1000;

/** Databases look values of a list up in an index one after another, but not those of a tree of conditions. */
function oneOf(sql: string, values: readonly string[], { dialect }: OperatorContext): Fragment {
  if (values.length > mostBound) return dialect.oneOf(raw(sql), values);
  return fragment`${raw(sql)} in (${joined(values.map(bound), ', ')})`;
}

function textEquality(
  argument: unknown,
  { entity }: OperatorContext,
): { readonly sql: string; readonly value: string } | undefined {
  if (!isClause(argument) || argument[0] !== '=') return undefined;
  const [, name, value] = argument;
  const column = typeof name === 'string' ? findColumn(entity, name) : undefined;
  if (column?.kind !== 'text' || typeof value !== 'string') return undefined;
  return { sql: column.sql, value };
}
