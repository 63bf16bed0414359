/** `["~", field, pattern]` */

import { type Json, printed } from '../ast.ts';
import type { QueryDialect } from '../dialect.ts';
import type { Column } from '../entity.ts';
import { resolveField } from '../field.ts';
import { type Fragment, fragment, raw } from '../fragment.ts';
import { jsonMatches } from '../json-condition.ts';
import { QueryError } from '../query-error.ts';
import type { Operator } from './operator.ts';

export const matches: Operator = (clause, { entity, dialect }) => {
  if (clause.length !== 3) throw new QueryError('~ requires exactly two arguments');
  const field = resolveField(entity, clause[1]);
  const pattern = dialect.pattern(field.kind === 'json' ? printed(clause[2]) : patternOf(clause[2] ?? null));
  switch (field.kind) {
    case 'json':
      return field.access.where((json) => jsonMatches(dialect, json, pattern));
    case 'column':
      return columnMatches(dialect, field.column, pattern);
    case 'node-state':
      throw new QueryError(`Query operator ~ is not allowed on field ${printed(clause[1])}`);
    default:
      return field satisfies never;
  }
};

function patternOf(value: Json): string {
  if (typeof value === 'string') return value;
  const type = typeof value === 'number' ? 'integer' : 'boolean';
  throw new QueryError(`ERROR: operator does not exist: text ~ ${type}`, 500);
}

function columnMatches(dialect: QueryDialect, column: Column, pattern: string): Fragment {
  const sql = raw(column.sql);
  switch (column.kind) {
    case 'text':
      // Null does not match, so that its negation does.
      return fragment`(${dialect.matches(sql, pattern)} and ${sql} is not null)`;
    case 'path':
      return dialect.matches(sql, pattern);
    case 'multi':
    case 'json':
      return fragment`(${jsonMatches(dialect, sql, pattern)} and ${sql} is not null)`;
    case 'list':
    case 'tags':
      return dialect.someElement(sql, (tag) => dialect.matches(tag, pattern));
    case 'timestamp':
      throw noMatch('timestamp with time zone');
    case 'boolean':
    case 'flag':
      throw noMatch('boolean');
    case 'integer':
      throw noMatch('integer');
    default:
      return column.kind satisfies never;
  }
}

function noMatch(type: string): QueryError {
  return new QueryError(`ERROR: operator does not exist: ${type} ~ character varying`, 500);
}
