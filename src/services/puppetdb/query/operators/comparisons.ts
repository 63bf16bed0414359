/** `[">", field, value]` and its siblings. */

import type { Json } from '../ast.ts';
import type { Comparison, QueryDialect } from '../dialect.ts';
import type { Column } from '../entity.ts';
import { resolveField } from '../field.ts';
import { bound, type Fragment, fragment, raw } from '../fragment.ts';
import { jsonCompares } from '../json-condition.ts';
import { QueryError } from '../query-error.ts';
import { queryTimestamp } from '../query-timestamp.ts';
import { integerOf } from './equals.ts';
import { askJson } from './json-operators.ts';
import type { Operator } from './operator.ts';

export function comparing(comparison: Comparison): Operator {
  return (clause, { entity, dialect }) => {
    if (clause.length !== 3) throw new QueryError(`${comparison} requires exactly two arguments`);
    const value = clause[2] ?? null;
    const field = resolveField(entity, clause[1]);
    switch (field.kind) {
      case 'json':
        return askJson(comparison, value, field.access, dialect);
      case 'column':
        return columnCompares(dialect, field.column, comparison, value);
      case 'node-state':
        throw notAllowed('node_state');
      default:
        return field satisfies never;
    }
  };
}

function columnCompares(
  dialect: QueryDialect,
  column: Column,
  comparison: Comparison,
  value: Json,
): Fragment {
  if (column.isComparable === false) throw notAllowed(column.label ?? column.name);
  const sql = raw(column.sql);
  switch (column.kind) {
    case 'timestamp':
      return fragment`${sql} ${raw(comparison)} ${bound(queryTimestamp(value))}`;
    case 'integer':
      return fragment`${sql} ${raw(comparison)} ${bound(integerOf(column, value))}`;
    case 'multi':
      return jsonCompares(dialect, sql, comparison, comparable(comparison, value));
    default:
      throw notAllowed(column.label ?? column.name);
  }
}

function comparable(comparison: Comparison, value: Json): number {
  if (typeof value === 'number') return value;
  throw new QueryError(
    `Argument ${JSON.stringify(value)} and operator "${comparison}" have incompatible types.`,
  );
}

function notAllowed(name: string): QueryError {
  return new QueryError(`Query operators >,>=,<,<= are not allowed on field ${name}`);
}
