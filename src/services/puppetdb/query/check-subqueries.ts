/** How deeply a query may be nested before planning it costs a database more than any answer. */

import { type Clause, isClause, type Json } from './ast.ts';
import { tooDeep } from './query-error.ts';

/** PostgreSQL plans a hundred within each other for more than a minute; people write three or four. */
const mostSubqueries = 30;

/** @throws QueryError for more subqueries within each other than a database can plan */
export function checkSubqueries(query: Clause): void {
  // A stack of its own: clauses may be nested more deeply than calls.
  const waiting: { readonly clause: Clause; readonly subqueries: number }[] = [
    { clause: query, subqueries: 0 },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const subqueries = next.subqueries + (isSubquery(next.clause[0]) ? 1 : 0);
    if (subqueries > mostSubqueries) throw tooDeep();
    for (const clause of next.clause) if (isClause(clause)) waiting.push({ clause, subqueries });
  }
}

function isSubquery(operator: Json | undefined): boolean {
  if (typeof operator !== 'string') return false;
  const name = operator.toLowerCase();
  return name === 'subquery' || name === 'from' || name.startsWith('select_');
}
