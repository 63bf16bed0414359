/** PostgreSQL: `$1` placeholders, real booleans, `jsonb`. */

import type { Dialect, RowColumn } from './dialect.ts';
import { fixedSql, type SqlValue, type Statement, sql } from './statement.ts';

const casts: Readonly<Record<RowColumn, string>> = {
  text: '',
  integer: '::bigint',
  boolean: '::boolean',
  json: '::jsonb',
};

export function postgresDialect(): Dialect {
  const rendered = new WeakMap<readonly string[], string>();
  return {
    name: 'postgresql',
    types: {
      identity: 'bigint generated always as identity primary key',
      integer: 'bigint',
      real: 'double precision',
      boolean: 'boolean',
      text: 'text collate "C"',
      timestamp: 'text collate "C"',
      json: 'jsonb',
      document: 'json',
      bytes: 'bytea',
    },
    clustered: '',
    lockingRows: fixedSql(' for no key update'),
    lock: (number, mode) =>
      mode === 'shared'
        ? sql`select pg_advisory_xact_lock_shared(${number})`
        : sql`select pg_advisory_xact_lock(${number})`,
    render(statement: Statement): string {
      const known = rendered.get(statement.parts);
      if (known !== undefined) return known;
      const text = statement.parts.reduce((before, part, index) => `${before}$${index}${part}`);
      rendered.set(statement.parts, text);
      return text;
    },
    bind(value: SqlValue) {
      return typeof value === 'bigint' ? String(value) : value;
    },
    document: (json) => sql`${json}::json`,
    rows(json, columns) {
      const selected = columns.map((kind, index) => `(value ->> ${index})${casts[kind]} as v${index}`);
      return sql`(select ${fixedSql(selected.join(', '))}, number - 1 as position
        from jsonb_array_elements(${json}::jsonb) with ordinality as element(value, number))`;
    },
  };
}
