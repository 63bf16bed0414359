/** `["and", condition, ...]` */

import { chained } from '../fragment.ts';
import { QueryError } from '../query-error.ts';
import type { Operator } from './operator.ts';

export const and: Operator = (clause, { condition }) => {
  if (clause.length < 2) throw new QueryError("'and' takes at least one argument, but none were supplied");
  return chained(clause.slice(1).map(condition), 'and');
};
