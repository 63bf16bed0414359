/** The messages between the main thread and a thread that holds an SQLite connection. */

import type { Row, WriteResult } from './database.ts';
import type { SqlValue } from './statement.ts';

export interface BoundStatement {
  readonly text: string;
  readonly values: readonly Exclude<SqlValue, boolean>[];
}

/** What a thread gets at its start, as `workerData`. */
export interface SqliteWorkerData {
  readonly path: string;
  readonly role: 'reader' | 'writer';
  /** Pages that are kept in memory; SQLite's 2 MB when absent. */
  readonly cacheKilobytes?: number;
}

export type SqliteRequest =
  | { readonly kind: 'read'; readonly statement: BoundStatement }
  | { readonly kind: 'write'; readonly statements: readonly BoundStatement[] };

export interface SqliteFailure {
  readonly message: string;
  /** SQLite's extended result code; `undefined` when the failure is not SQLite's. */
  readonly code: number | undefined;
  /** A failure that was understood before; it never crosses threads. */
  readonly cause?: Error;
}

export type SqliteReply =
  | { readonly rows: readonly Row[] }
  | { readonly results: readonly WriteResult[] }
  | { readonly failure: SqliteFailure };
