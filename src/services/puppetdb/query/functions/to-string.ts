/** `["function", "to_string", field, format]`: PostgreSQL's `to_char` of times and numbers. */

import { type Json, printed } from '../ast.ts';
import { findField, resolveField } from '../field.ts';
import { type Fragment, raw } from '../fragment.ts';
import { QueryError } from '../query-error.ts';
import type { QueryFunction } from './query-function.ts';

export const toString: QueryFunction = ([name, format], entity, dialect) => {
  const field = resolveField(entity, name);
  if (format === undefined) {
    throw new QueryError('ERROR: function to_char(timestamp with time zone) does not exist', 500);
  }
  const mask = printed(format);
  if (field.kind === 'column' && field.column.kind === 'timestamp') {
    return { kind: 'text', sql: dialect.timeText(raw(field.column.sql), mask) };
  }
  if (field.kind === 'column' && field.column.kind === 'integer') {
    return { kind: 'text', sql: dialect.numberText(raw(field.column.sql), mask) };
  }
  const json = jsonOf(findField(entity, name));
  if (json === undefined) throw notConvertible(name);
  return { kind: 'text', sql: dialect.numberText(dialect.number(json), mask) };
};

function jsonOf(field: ReturnType<typeof findField>): Fragment | undefined {
  if (field?.kind === 'json') return field.access.value;
  if (field?.kind === 'column' && field.column.kind === 'multi') return raw(field.column.sql);
  return undefined;
}

function notConvertible(name: Json | undefined): QueryError {
  return new QueryError(
    `ERROR: function to_char(text, character varying) does not exist (${printed(name)})`,
    500,
  );
}
