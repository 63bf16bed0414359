/** The embedded database: one file, a thread that writes and a thread that reads beside it. */

import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Database, Row, WriteResult } from './database.ts';
import type { Dialect } from './dialect.ts';
import { boundStatement, sqliteDialect } from './sqlite-dialect.ts';
import { SqliteThread } from './sqlite-thread.ts';
import type { Statement } from './statement.ts';

export interface SqliteOptions {
  /** The file; its folder is made when it is missing, readable by its owner only. */
  readonly path: string;
  /** The built `sqlite-worker.ts`, when the program runs from a bundle. */
  readonly workerUrl?: URL;
  /**
   * False where reads are few and short: they share the writer's thread, which saves the 12 MB that a thread costs. True
   * when absent.
   */
  readonly hasReaderThread?: boolean;
}

/**
 * Opens the database, making it when there is none.
 *
 * @throws ServiceError `unavailable` when the file cannot be opened or is no database
 */
export async function openSqliteDatabase(options: SqliteOptions): Promise<Database> {
  await mkdir(dirname(options.path), { recursive: true, mode: 0o700 });
  const database = new SqliteDatabase(options);
  try {
    // The writer makes the file, which the reader then needs.
    await database.write([]);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

function sourceWorkerUrl(): URL {
  return new URL('./sqlite-worker.ts', import.meta.url);
}

class SqliteDatabase implements Database {
  readonly dialect: Dialect = sqliteDialect();
  private readonly writer: SqliteThread;
  private readonly reader: SqliteThread;

  constructor({ path, workerUrl = sourceWorkerUrl(), hasReaderThread = true }: SqliteOptions) {
    this.writer = new SqliteThread(workerUrl, { path, role: 'writer' });
    this.reader = hasReaderThread ? new SqliteThread(workerUrl, { path, role: 'reader' }) : this.writer;
  }

  async read(statement: Statement): Promise<readonly Row[]> {
    const reply = await this.reader.ask({
      kind: 'read',
      statement: boundStatement(this.dialect, statement),
    });
    return 'rows' in reply ? reply.rows : [];
  }

  async write(statements: readonly Statement[]): Promise<readonly WriteResult[]> {
    const bound = statements.map((statement) => boundStatement(this.dialect, statement));
    const reply = await this.writer.ask({ kind: 'write', statements: bound });
    return 'results' in reply ? reply.results : [];
  }

  async close(): Promise<void> {
    // The reader first: the last connection to leave folds the log into the file.
    await this.reader.close();
    await this.writer.close();
  }
}
