/** Everything in which the databases differ. Stores are written once and ask the dialect. */

import type { SqlValue, Statement } from './statement.ts';

/** Names of column types, for migrations. */
export interface ColumnTypes {
  /** A primary key that the database counts up; a number never comes again. */
  readonly identity: string;
  readonly integer: string;
  readonly real: string;
  readonly boolean: string;
  /** Sorted by code unit, whatever the locale of the machine. */
  readonly text: string;
  /** Fixed-width UTC text, see `timestamp.ts`: sorts and compares as time. */
  readonly timestamp: string;
  /** JSON that statements look into. */
  readonly json: string;
  /** JSON that is only given back. */
  readonly document: string;
  readonly bytes: string;
}

/** What a column of expanded rows holds; `json` is text of JSON within the row. */
export type RowColumn = 'text' | 'integer' | 'boolean' | 'json';

export interface Dialect {
  readonly name: 'sqlite' | 'postgresql';
  readonly types: ColumnTypes;
  /** What follows the definition of a table whose rows are kept in the order of its primary key, where that is possible. */
  readonly clustered: string;
  /** Follows a select whose rows no other transaction may change until this one ends. */
  readonly lockingRows: Statement;
  /**
   * A lock on a number until the transaction ends: shared, or exclusive.
   * `undefined` for a database with one writer at a time.
   */
  lock(number: number, mode: 'shared' | 'exclusive'): Statement | undefined;
  /** The statement's text with a placeholder for each value. Equal templates give the same string object. */
  render(statement: Statement): string;
  /** A value as the driver takes it. */
  bind(value: SqlValue): null | number | bigint | string | Uint8Array | boolean;
  /** JSON from outside, in UTF-8; the database refuses invalid JSON. */
  document(json: Uint8Array): Statement;
  /**
   * A table of rows that are sent as one value: columns `v0`, `v1`, ..., and `position` from 0.
   *
   * @param json - an array of arrays
   */
  rows(json: string, columns: readonly RowColumn[]): Statement;
}
