/** `["null?", field, true or false]` */

import { findField } from '../field.ts';
import { fragment, never, raw } from '../fragment.ts';
import { notAnOperator, QueryError } from '../query-error.ts';
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
    case 'json': {
      if (isWanted) return field.access.where((json) => dialect.equalsJson(json, 'null'));
      return field.access.where((json) => fragment`${dialect.text(json)} is not null`);
    }
    case 'node-state':
      return never;
    default:
      return field satisfies never;
  }
};
