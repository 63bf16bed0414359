/** Databases: one store layer, one dialect for each engine. */

export type { Database, Row, WriteResult } from './database.ts';
export type { ColumnTypes, Dialect } from './dialect.ts';
export { type DirectoryLock, lockDirectory } from './directory-lock.ts';
export { type Migration, migrate } from './migrate.ts';
export { openSqliteDatabase, type SqliteOptions } from './sqlite-database.ts';
export { type SqlValue, type Statement, sql } from './statement.ts';
export { decodeTimestamp, encodeTimestamp } from './timestamp.ts';
