/** `["=", field, value]` */

import { canonicalJson } from '../../canonical-json.ts';
import { isClause, type Json, printed } from '../ast.ts';
import type { QueryDialect } from '../dialect.ts';
import type { Column } from '../entity.ts';
import { resolveField } from '../field.ts';
import { bound, type Fragment, fragment, never, raw } from '../fragment.ts';
import { jsonEquals } from '../json-condition.ts';
import { nodeState } from '../node-state.ts';
import { QueryError } from '../query-error.ts';
import { queryTimestamp } from '../query-timestamp.ts';
import { askJson } from './json-operators.ts';
import type { Operator } from './operator.ts';

export const equals: Operator = (clause, { entity, dialect }) => {
  if (clause.length !== 3) throw new QueryError('= requires exactly two arguments');
  const value = clause[2] ?? null;
  const field = resolveField(entity, clause[1]);
  switch (field.kind) {
    case 'node-state':
      return nodeState(entity, isClause(clause[1]) ? value !== false : value);
    case 'json':
      return askJson('=', value, field.access, dialect);
    case 'column':
      return columnEquals(dialect, field.column, value);
    default:
      return field satisfies never;
  }
};

export function columnEquals(dialect: QueryDialect, column: Column, value: Json): Fragment {
  if (column.kind === 'flag') return value === true ? raw(column.sql) : raw(`not (${column.sql})`);
  const sql = raw(column.sql);
  if (value === null) return nullEquals(dialect, column);
  switch (column.kind) {
    case 'text':
      if (typeof value !== 'string') throw mismatch('text', value);
      return fragment`${sql} = ${bound(value)}`;
    case 'timestamp':
      return fragment`${sql} = ${bound(queryTimestamp(value))}`;
    case 'boolean':
      if (typeof value !== 'boolean') throw mismatch('boolean', value);
      return fragment`${sql} = ${dialect.boolean(value)}`;
    case 'integer':
      return fragment`${sql} = ${bound(integerOf(column, value))}`;
    case 'multi':
    case 'json':
      return jsonEquals(dialect, sql, value);
    case 'path':
      return pathEquals(column, value);
    case 'list':
      return dialect.someElement(sql, (element) => fragment`${element} = ${bound(printed(value))}`);
    case 'tags':
      return dialect.someElement(sql, (tag) => fragment`${tag} = ${bound(printed(value).toLowerCase())}`);
    default:
      return column.kind satisfies never;
  }
}

/** What equals null is null. */
function nullEquals(dialect: QueryDialect, { kind, sql, isSerialized }: Column): Fragment {
  if (isSerialized === true) return never;
  return kind === 'multi' || kind === 'json' ? dialect.equalsJson(raw(sql), 'null') : raw(`${sql} is null`);
}

export function integerOf(column: Column, value: Json): number {
  if (typeof value === 'number') return value;
  throw new QueryError(
    `Argument ${JSON.stringify(value)} is incompatible with numeric field "${column.name}".`,
  );
}

function pathEquals(column: Column, value: Json): Fragment {
  if (!isClause(value)) throw new QueryError('Path array element wasnt string or integer in {0}');
  const exact = fragment`${raw(column.sql)} = ${bound(canonicalJson(value))}`;
  const [first] = value;
  if (column.firstKey === undefined || typeof first !== 'string') return exact;
  return fragment`(${raw(column.firstKey)} = ${bound(first)} and ${exact})`;
}

function mismatch(type: string, value: Json): QueryError {
  const given =
    typeof value === 'number' ? 'integer' : typeof value === 'boolean' ? 'boolean' : 'character varying';
  return new QueryError(`ERROR: operator does not exist: ${type} = ${given}`, 500);
}
