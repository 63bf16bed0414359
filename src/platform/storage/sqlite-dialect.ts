/** SQLite: `?` placeholders, no booleans, dynamic types. */

import type { Dialect } from './dialect.ts';
import type { BoundStatement } from './sqlite-protocol.ts';
import { fixedSql, type SqlValue, type Statement, sql } from './statement.ts';

export function sqliteDialect(): Dialect {
  // A template's parts are one object for each place in the source: rendered once, then found again.
  const rendered = new WeakMap<readonly string[], string>();
  return {
    name: 'sqlite',
    types: {
      // As on PostgreSQL, the number of a row that was removed never comes again: somebody may still hold it.
      identity: 'integer primary key autoincrement',
      integer: 'integer',
      real: 'real',
      boolean: 'integer',
      text: 'text',
      timestamp: 'text',
      json: 'text',
      document: 'text',
      bytes: 'blob',
    },
    clustered: ' without rowid',
    // There is one writer at a time.
    lockingRows: fixedSql(''),
    lock: () => undefined,
    render(statement: Statement): string {
      const known = rendered.get(statement.parts);
      if (known !== undefined) return known;
      const text = statement.parts.join('?');
      rendered.set(statement.parts, text);
      return text;
    },
    bind: boundValue,
    document: (json) => sql`json(cast(${json} as text))`,
    rows(json, columns) {
      const selected = columns.map((_, index) => `value ->> ${index} as v${index}`).join(', ');
      return sql`(select ${fixedSql(selected)}, key as position from json_each(${json}))`;
    },
  };
}

/** The statement as a connection takes it. */
export function boundStatement(dialect: Dialect, statement: Statement): BoundStatement {
  return { text: dialect.render(statement), values: statement.values.map(boundValue) };
}

function boundValue(value: SqlValue): Exclude<SqlValue, boolean> {
  return typeof value === 'boolean' ? Number(value) : value;
}
