/** SQLite: `?` placeholders, no booleans, dynamic types. */

import type { Dialect } from './dialect.ts';
import type { SqlValue, Statement } from './statement.ts';

export function sqliteDialect(): Dialect {
  // A template's parts are one object for each place in the source: rendered once, then found again.
  const rendered = new WeakMap<readonly string[], string>();
  return {
    name: 'sqlite',
    types: {
      identity: 'integer primary key',
      integer: 'integer',
      real: 'real',
      boolean: 'integer',
      text: 'text',
      timestamp: 'text',
      json: 'text',
      bytes: 'blob',
    },
    render(statement: Statement): string {
      const known = rendered.get(statement.parts);
      if (known !== undefined) return known;
      const text = statement.parts.join('?');
      rendered.set(statement.parts, text);
      return text;
    },
    bind(value: SqlValue) {
      return typeof value === 'boolean' ? Number(value) : value;
    },
  };
}
