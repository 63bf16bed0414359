/** What a store sees of a database. */

import type { Dialect } from './dialect.ts';
import type { Statement } from './statement.ts';

/** Column name -> value; booleans of SQLite are 0 and 1, bytes are `Uint8Array`. The store decodes it. */
export type Row = Readonly<Record<string, unknown>>;

/** Makes text of the values of a row, which are in the order of the columns. */
export type RowEncoder = (values: readonly unknown[]) => string;

export interface WriteResult {
  /** What `returning` gave; empty otherwise. */
  readonly rows: readonly Row[];
  /** How many rows the statement inserted, changed or deleted. */
  readonly changes: number;
}

export interface Database {
  readonly dialect: Dialect;
  /**
   * Runs one query. It sees everything whose `write` was resolved before.
   *
   * @throws ServiceError `unavailable` when the database is closed or its thread died
   */
  read(statement: Statement): Promise<readonly Row[]>;
  /**
   * Runs the statements in one transaction: all or none.
   *
   * When it resolves they are on disk, and no kill or power cut undoes them. Transactions that are waiting
   * at the same time share one sync (group commit); each fails alone.
   *
   * @returns one result for each statement
   * @throws ServiceError `unavailable` when closed, when the thread died or the disk is full; `conflict` when a
   *   constraint is violated
   */
  write(statements: readonly Statement[]): Promise<readonly WriteResult[]>;
  /** Finishes what was asked for, then releases threads and files. */
  close(): Promise<void>;
}

/** What a transaction may do while it is open. */
export interface Transaction {
  readonly dialect: Dialect;
  /** Sees what this transaction wrote. */
  read(statement: Statement): Promise<readonly Row[]>;
  run(statement: Statement): Promise<WriteResult>;
}

/** A database that is spoken to from this thread: transactions may look before they write, long answers are read in parts. */
export interface DirectDatabase extends Database {
  /**
   * Durable when it resolves, undone when the work throws. Work awaits nothing but the transaction. It may run more than
   * once where the database asks for that.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** The rows in parts of some 100 KB, so that answers of any length take little memory; what is not read is given up. */
  stream(statement: Statement): AsyncIterable<readonly Row[]>;
  /**
   * As `stream`, where each row is made text at once: nothing else of it stays in memory until its part is full.
   *
   * @param encode - of the values of a row, in the order of the columns
   */
  streamText(statement: Statement, encode: RowEncoder): AsyncIterable<readonly string[]>;
}
