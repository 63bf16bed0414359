/** What a query says for certain of its rows. */

import { type Clause, isClause } from './ast.ts';

/** Whether only rows with this flag are answered. */
export function demands(query: Clause | undefined, flag: string): boolean {
  if (query === undefined) return false;
  const [operator, name, value] = query;
  if (operator === '=') return name === flag && value === true;
  const isPassedOn = operator === 'and' || operator === 'extract';
  return isPassedOn && query.some((part) => isClause(part) && demands(part, flag));
}
