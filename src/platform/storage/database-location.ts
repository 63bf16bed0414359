/** Where a database is: a value that can be handed to another thread. */

import type { DirectDatabase } from './database.ts';
import { openPostgres } from './postgres-database.ts';
import { openDirectSqlite } from './sqlite-direct.ts';

export type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly path: string }
  | {
      readonly kind: 'postgresql';
      readonly url: string;
      /** For each thread that opens it. */
      readonly connections: number;
      /** 0 for never. */
      readonly statementTimeoutMs: number;
    };

/** @throws ServiceError `unavailable` when an SQLite file cannot be opened; PostgreSQL is connected to later */
export function openDirectDatabase(location: DatabaseLocation, role: 'reader' | 'writer'): DirectDatabase {
  if (location.kind === 'postgresql') return openPostgres(location);
  return openDirectSqlite({ path: location.path, role });
}
