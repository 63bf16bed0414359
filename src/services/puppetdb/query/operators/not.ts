/** `["not", condition]` */

import { fragment } from '../fragment.ts';
import { QueryError } from '../query-error.ts';
import { negatedQuestion } from './json-operators.ts';
import type { Operator } from './operator.ts';

export const not: Operator = (clause, { condition, entity, dialect }) => {
  const given = clause.length - 1;
  if (given !== 1) throw new QueryError(`'not' takes exactly one argument, but ${given} were supplied`);
  return negatedQuestion(clause[1], entity, dialect) ?? fragment`not (${condition(clause[1])})`;
};
