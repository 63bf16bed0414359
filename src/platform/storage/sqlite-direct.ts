/** SQLite in this thread: for threads that do nothing but work with the database. */

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { ServiceError } from '../../lib/service-error.ts';
import type { DirectDatabase, Row, RowEncoder, Transaction, WriteResult } from './database.ts';
import type { Dialect } from './dialect.ts';
import { describeFailure, SqliteConnection } from './sqlite-connection.ts';
import { boundStatement, sqliteDialect } from './sqlite-dialect.ts';
import { failureAsError } from './sqlite-failure.ts';
import type { Statement } from './statement.ts';

export interface DirectSqliteOptions {
  readonly path: string;
  /** A reader cannot write; the file must be there. */
  readonly role: 'reader' | 'writer';
}

/**
 * Enough for the pages that a group of transactions changes: with 8 and 16 MB commands cost the same. Who
 * reads finds the rest in the cache of the system as fast.
 */
const cacheKilobytes = 4_000;

/** For how long transactions join the one that is open before all of them are synced. */
const groupMs = 40;

interface Waiting {
  /** Runs the work within the open transaction; afterwards says how it ended. */
  readonly run: (transaction: Transaction) => Promise<void>;
  readonly settle: () => void;
  readonly reject: (error: unknown) => void;
}

/** @throws ServiceError `unavailable` when the file cannot be opened or is no database */
export function openDirectSqlite({ path, role }: DirectSqliteOptions): DirectDatabase {
  if (role === 'writer') mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    return new DirectSqlite(new SqliteConnection({ path, role, cacheKilobytes }));
  } catch (error) {
    throw failureAsError(describeFailure(error));
  }
}

class DirectSqlite implements DirectDatabase {
  readonly dialect: Dialect = sqliteDialect();
  private readonly connection: SqliteConnection;
  private readonly openTransaction: Transaction;
  private waiting: Waiting[] = [];
  private running: Promise<void> | undefined;
  private isClosed = false;

  constructor(connection: SqliteConnection) {
    this.connection = connection;
    this.openTransaction = {
      dialect: this.dialect,
      read: (statement) => this.try(() => connection.read(boundStatement(this.dialect, statement))),
      run: (statement) => this.try(() => connection.run(boundStatement(this.dialect, statement))),
    };
  }

  async read(statement: Statement): Promise<readonly Row[]> {
    if (this.isClosed) throw closed();
    return await this.openTransaction.read(statement);
  }

  async *stream(statement: Statement): AsyncIterable<readonly Row[]> {
    if (this.isClosed) throw closed();
    yield* understood(this.connection.iterate(boundStatement(this.dialect, statement)));
  }

  async *streamText(statement: Statement, encode: RowEncoder): AsyncIterable<readonly string[]> {
    if (this.isClosed) throw closed();
    yield* understood(this.connection.iterateText(boundStatement(this.dialect, statement), encode));
  }

  async write(statements: readonly Statement[]): Promise<readonly WriteResult[]> {
    return await this.transaction(async (transaction) => {
      const results: WriteResult[] = [];
      for (const statement of statements) results.push(await transaction.run(statement));
      return results;
    });
  }

  async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    if (this.isClosed) throw closed();
    return await new Promise<T>((resolve, reject) => {
      let result: T;
      this.waiting.push({
        run: async (transaction) => {
          result = await work(transaction);
        },
        settle: () => resolve(result),
        reject,
      });
      this.running ??= this.drain();
    });
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    await this.running;
    this.connection.close();
  }

  private async drain(): Promise<void> {
    // Transactions of the same turn of the event loop join.
    await Promise.resolve();
    while (this.waiting.length > 0) await this.runGroup();
    this.running = undefined;
  }

  /** One transaction of the database for all that are waiting; each is undone alone when it fails. */
  private async runGroup(): Promise<void> {
    const done: Waiting[] = [];
    try {
      this.connection.begin();
      const end = performance.now() + groupMs;
      do {
        const next = this.waiting.shift();
        if (next === undefined) break;
        done.push(next);
        if (!(await this.runOne(next))) done.pop();
      } while (performance.now() < end);
      this.connection.commit();
      for (const each of done) each.settle();
    } catch (error) {
      this.connection.rollback();
      const failed = done.length > 0 ? done : this.waiting.splice(0);
      for (const each of failed) each.reject(failureAsError(describeFailure(error)));
    }
  }

  /** @returns false when it failed and was undone, alone */
  private async runOne(waiting: Waiting): Promise<boolean> {
    this.connection.mark();
    try {
      await waiting.run(this.openTransaction);
      this.connection.keepMarked();
      return true;
    } catch (error) {
      // Without a transaction (a full disk makes SQLite roll back by itself) the whole group has failed.
      if (!this.connection.undoMarked()) throw error;
      waiting.reject(error);
      return false;
    }
  }

  private try<T>(action: () => T): Promise<T> {
    try {
      return Promise.resolve(action());
    } catch (error) {
      return Promise.reject(failureAsError(describeFailure(error)));
    }
  }
}

function* understood<T>(parts: Iterable<T>): Iterable<T> {
  try {
    yield* parts;
  } catch (error) {
    throw failureAsError(describeFailure(error));
  }
}

function closed(): ServiceError {
  return new ServiceError('unavailable', 'the database is closed');
}
