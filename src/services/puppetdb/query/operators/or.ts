/** `["or", condition, ...]` */

import { chained } from '../fragment.ts';
import { QueryError } from '../query-error.ts';
import type { Operator } from './operator.ts';

export const or: Operator = (clause, { condition }) => {
  if (clause.length < 2) throw new QueryError("'or' takes at least one argument, but none were supplied");
  return chained(clause.slice(1).map(condition), 'or');
};
