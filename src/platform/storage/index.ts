/** Databases: one store layer, one dialect for each engine. */

export type { Database, DirectDatabase, Row, RowEncoder, Transaction, WriteResult } from './database.ts';
export { type DatabaseLocation, openDirectDatabase } from './database-location.ts';
export type { ColumnTypes, Dialect, RowColumn } from './dialect.ts';
export { type DirectoryLock, lockDirectory } from './directory-lock.ts';
export { type Migration, migrate } from './migrate.ts';
export { openSqliteDatabase, type SqliteOptions } from './sqlite-database.ts';
export { fixedSql, type SqlValue, type Statement, sql } from './statement.ts';
export { StatementRefused } from './statement-refused.ts';
export { decodeTimestamp, encodeTimestamp } from './timestamp.ts';
