/**
 * One process at a time works in a directory.
 *
 * The lock is SQLite's on an empty file: the kernel takes it back when its holder dies, however it dies, so there are
 * no stale locks to judge.
 */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ServiceError } from '../../lib/service-error.ts';

/** Held until it is released or its process ends. */
export interface DirectoryLock {
  release(): void;
}

/** SQLITE_BUSY */
const isBusy = (error: unknown) => error instanceof Error && 'errcode' in error && error.errcode === 5;

/**
 * Makes the directory when there is none.
 *
 * @throws ServiceError `unavailable` when another process has the lock
 */
export function lockDirectory(directory: string): DirectoryLock {
  mkdirSync(directory, { recursive: true });
  const database = new DatabaseSync(join(directory, 'lock'));
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    throw new ServiceError('unavailable', `${directory} is in use by another process`, { cause: error });
  }
  return { release: () => database.close() };
}
