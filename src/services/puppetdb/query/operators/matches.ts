/** `["~", field, pattern]` */

import { isClause, type Json, printed } from '../ast.ts';
import type { QueryDialect } from '../dialect.ts';
import type { Column } from '../entity.ts';
import { resolveField } from '../field.ts';
import { type Fragment, fragment, raw } from '../fragment.ts';
import { jsonMatches } from '../json-condition.ts';
import { QueryError } from '../query-error.ts';
import { askJson } from './json-operators.ts';
import type { Operator } from './operator.ts';

export const matches: Operator = (clause, { entity, dialect }) => {
  if (clause.length !== 3) throw new QueryError('~ requires exactly two arguments');
  const value = clause[2] ?? null;
  const field = resolveField(entity, clause[1]);
  switch (field.kind) {
    case 'json':
      if (field.access.matches === undefined) return askJson('~', value, field.access, dialect);
      return field.access.matches(dialect.pattern(printed(value)));
    case 'column': {
      if (field.column.isSerialized !== true) {
        return columnMatches(dialect, field.column, dialect.pattern(patternOf(value, field.column)));
      }
      const pattern = dialect.pattern(JSON.stringify(value));
      return dialect.matches(dialect.jsonText(raw(field.column.sql)), pattern);
    }
    case 'node-state':
      throw new QueryError(`Query operator ~ is not allowed on field ${printed(clause[1])}`);
    default:
      return field satisfies never;
  }
};

/** @throws QueryError in the words of the reference's database when the value is no pattern */
function patternOf(value: Json, column: Column): string {
  if (typeof value === 'string') return value;
  if (column.kind === 'flag') throw unmatchableFlag();
  if (isClause(value)) {
    throw new QueryError(
      "Can't infer the SQL type to use for an instance of clojure.lang.PersistentVector. " +
        'Use setObject() with an explicit Types value to specify the type to use.',
      500,
    );
  }
  throw noMatch(databaseType(column), typeof value === 'number' ? 'integer' : 'boolean');
}

/** The type that the column has in the reference's database. */
function databaseType({ kind, name }: Column): string {
  if (kind === 'timestamp') return 'timestamp with time zone';
  if (name === 'report_format') return 'smallint';
  return kind === 'boolean' || kind === 'integer' ? kind : 'text';
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
    case 'flag':
      throw unmatchableFlag();
    case 'timestamp':
    case 'boolean':
    case 'integer':
      throw noMatch(databaseType(column), 'character varying');
    default:
      return column.kind satisfies never;
  }
}

function unmatchableFlag(): QueryError {
  return new QueryError('Value does not match schema: {:field missing-required-key}', 500);
}

function noMatch(type: string, other: string): QueryError {
  return new QueryError(`ERROR: operator does not exist: ${type} ~ ${other}`, 500);
}
