/**
 * One process at a time works in a directory.
 *
 * The lock is SQLite's on an empty file: the kernel takes it back when its holder dies, however it dies, so there are
 * no stale locks to judge.
 */

import { chmodSync, mkdirSync, statSync } from 'node:fs';
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
 * Makes the directory when there is none. Other users of the machine cannot enter it: databases, code and digests of
 * tokens lie below. A directory of an earlier release is mended.
 *
 * @throws ServiceError `unavailable` when another process has the lock, or the directory cannot be written
 */
export function lockDirectory(directory: string): DirectoryLock {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  named(directory, () => keepOthersOut(directory));
  const database = named(directory, () => new DatabaseSync(join(directory, 'lock')));
  try {
    named(directory, () => database.exec('BEGIN EXCLUSIVE'));
  } catch (error) {
    database.close();
    throw error;
  }
  return { release: () => database.close() };
}

function keepOthersOut(directory: string): void {
  if ((statSync(directory).mode & 0o077) !== 0) chmodSync(directory, 0o700);
}

/** SQLite names no file. */
function named<T>(directory: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const message = isBusy(cause)
      ? `${directory} is in use by another process`
      : `cannot lock ${directory}: ${(cause as Error).message}`;
    throw new ServiceError('unavailable', message, { cause });
  }
}
