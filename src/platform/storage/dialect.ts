/** Everything in which the databases differ. Stores are written once and ask the dialect. */

import type { SqlValue, Statement } from './statement.ts';

/** Names of column types, for migrations. */
export interface ColumnTypes {
  /** A primary key that the database counts up. */
  readonly identity: string;
  readonly integer: string;
  readonly real: string;
  readonly boolean: string;
  /** Sorted by code unit, whatever the locale of the machine. */
  readonly text: string;
  /** Fixed-width UTC text, see `timestamp.ts`: sorts and compares as time. */
  readonly timestamp: string;
  readonly json: string;
  readonly bytes: string;
}

export interface Dialect {
  readonly name: 'sqlite' | 'postgresql';
  readonly types: ColumnTypes;
  /** The statement's text with a placeholder for each value. Equal templates give the same string object. */
  render(statement: Statement): string;
  /** A value as the driver takes it. */
  bind(value: SqlValue): null | number | bigint | string | Uint8Array;
}
