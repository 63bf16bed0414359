/** `["not", condition]` */

import { fragment } from '../fragment.ts';
import { QueryError } from '../query-error.ts';
import type { Operator } from './operator.ts';

export const not: Operator = (clause, { condition }) => {
  const given = clause.length - 1;
  if (given !== 1) throw new QueryError(`'not' takes exactly one argument, but ${given} were supplied`);
  return fragment`not (${condition(clause[1])})`;
};
