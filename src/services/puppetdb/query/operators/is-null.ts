/** `["null?", field, true or false]` */

import { findField } from '../field.ts';
import { never, raw } from '../fragment.ts';
import { notAnOperator, QueryError } from '../query-error.ts';
import { askJson } from './json-operators.ts';
import type { Operator } from './operator.ts';

export const isNull: Operator = (clause, { entity, dialect }) => {
  if (clause.length !== 3) throw notAnOperator();
  const [, name, wanted] = clause;
  const isWanted = wanted !== false && wanted !== null;
  const field = findField(entity, name);
  if (field === undefined) throw new QueryError('Value does not match schema: (not (map? nil))', 500);
  switch (field.kind) {
    case 'column':
      return raw(`${field.column.sql} is ${isWanted ? '' : 'not '}null`);
    case 'json':
      return askJson('null?', isWanted, field.access, dialect);
    case 'node-state':
      return never;
    default:
      return field satisfies never;
  }
};
