/** Where a database is: a value that can be handed to another thread. */

import type { DirectDatabase } from './database.ts';
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
export async function openDirectDatabase(
  location: DatabaseLocation,
  role: 'reader' | 'writer',
): Promise<DirectDatabase> {
  if (location.kind === 'sqlite') return openDirectSqlite({ path: location.path, role });
  // Its driver takes 2 MB in each thread: who has a file does without.
  const { openPostgres } = await import('./postgres-database.ts');
  return openPostgres(location);
}
