/** One SQLite connection: prepares statements once, groups transactions into one sync. */

import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { ServiceError } from '../../lib/service-error.ts';
import type { Row, RowEncoder, WriteResult } from './database.ts';
import { partSize, sizeOfRow, sizeOfText } from './row-size.ts';
import { defineSqlFunctions } from './sqlite-functions.ts';
import type { BoundStatement, SqliteFailure, SqliteReply, SqliteWorkerData } from './sqlite-protocol.ts';

/** How many prepared statements a connection keeps; stores have far fewer different texts. */
const preparedLimit = 500;

export class SqliteConnection {
  private readonly database: DatabaseSync;
  private readonly prepared = new Map<string, StatementSync>();

  /** @throws Error of SQLite, with the file before it */
  constructor(options: SqliteWorkerData) {
    this.database = open(options);
    defineSqlFunctions(this.database);
  }

  read(statement: BoundStatement): readonly Row[] {
    return this.prepare(statement.text).all(...statement.values);
  }

  iterate(statement: BoundStatement): Iterable<readonly Row[]> {
    return this.parts(statement, namedRow, sizeOfRow);
  }

  iterateText(statement: BoundStatement, encode: RowEncoder): Iterable<readonly string[]> {
    return this.parts(statement, (_names, values) => encode(values), sizeOfText);
  }

  /** Reads in parts. The statement is prepared for this reader alone: others may ask the same meanwhile. */
  private *parts<T>(
    statement: BoundStatement,
    make: (names: readonly string[], values: readonly unknown[]) => T,
    sizeOf: (made: T) => number,
  ): Iterable<readonly T[]> {
    const prepared = this.database.prepare(statement.text);
    // Objects that SQLite's binding makes of rows take longer to make, and to look into, than those that are made here.
    prepared.setReturnArrays(true);
    const names = prepared.columns().map(({ name }) => name);
    let batch: T[] = [];
    let size = 0;
    for (const values of prepared.iterate(...statement.values)) {
      const row = make(names, values as unknown as readonly unknown[]);
      batch.push(row);
      size += sizeOf(row);
      if (size < partSize) continue;
      yield batch;
      [batch, size] = [[], 0];
    }
    if (batch.length > 0) yield batch;
  }

  begin(): void {
    this.database.exec('begin immediate');
  }

  commit(): void {
    this.database.exec('commit');
  }

  /** Where `undoMarked` goes back to. */
  mark(): void {
    this.database.exec('savepoint one');
  }

  keepMarked(): void {
    this.database.exec('release one');
  }

  /** @returns false when the whole transaction is gone */
  undoMarked(): boolean {
    if (!this.database.isTransaction) return false;
    this.database.exec('rollback to one; release one');
    return true;
  }

  /** Runs all requests in one transaction, each undone alone when it fails. One reply for each. */
  writeGroup(transactions: readonly (readonly BoundStatement[])[]): readonly SqliteReply[] {
    try {
      this.begin();
      const replies = transactions.map((statements) => this.writeOne(statements));
      this.commit();
      return replies;
    } catch (error) {
      this.rollback();
      const failure = describeFailure(error);
      return transactions.map(() => ({ failure }));
    }
  }

  close(): void {
    this.prepared.clear();
    this.database.close();
  }

  private writeOne(statements: readonly BoundStatement[]): SqliteReply {
    this.mark();
    try {
      const results = statements.map((statement) => this.run(statement));
      this.keepMarked();
      return { results };
    } catch (error) {
      // Without a transaction (a full disk makes SQLite roll back by itself) the whole group has failed.
      if (!this.undoMarked()) throw error;
      return { failure: describeFailure(error) };
    }
  }

  run(statement: BoundStatement): WriteResult {
    const prepared = this.prepare(statement.text);
    if (prepared.columns().length > 0) {
      const rows = prepared.all(...statement.values);
      return { rows, changes: rows.length };
    }
    return { rows: [], changes: Number(prepared.run(...statement.values).changes) };
  }

  private prepare(text: string): StatementSync {
    const known = this.prepared.get(text);
    if (known !== undefined) return known;
    const prepared = this.database.prepare(text);
    if (this.prepared.size >= preparedLimit) this.prepared.clear();
    this.prepared.set(text, prepared);
    return prepared;
  }

  rollback(): void {
    if (this.database.isTransaction) this.database.exec('rollback');
  }
}

function open({ cacheKilobytes, path, role }: SqliteWorkerData): DatabaseSync {
  const isReader = role === 'reader';
  try {
    const database = new DatabaseSync(path, { readOnly: isReader, timeout: 10_000 });
    if (!isReader) {
      // FULL: a commit is on disk before it is acknowledged, also in WAL mode.
      database.exec('pragma journal_mode = wal; pragma synchronous = full');
    }
    database.exec('pragma foreign_keys = on; pragma temp_store = memory');
    if (cacheKilobytes !== undefined) {
      // Fewer, larger checkpoints: pages that change often are written to the file once for many commits.
      database.exec(`pragma cache_size = -${cacheKilobytes}; pragma wal_autocheckpoint = 4000`);
    }
    return database;
  } catch (error) {
    // SQLite names no file; its code, by which failures are told apart, stays with the error.
    if (error instanceof Error) error.message = `${path}: ${error.message}`;
    throw error;
  }
}

function namedRow(names: readonly string[], values: readonly unknown[]): Row {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < names.length; index++) row[names[index] ?? ''] = values[index];
  return row;
}

export function describeFailure(error: unknown): SqliteFailure {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  if (error instanceof ServiceError) return { message, code: undefined, cause: error };
  return { message, code: typeof code === 'number' ? code : undefined };
}
