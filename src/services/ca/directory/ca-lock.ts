/**
 * One process at a time writes to a CA directory.
 *
 * The lock is SQLite's on an empty file: the kernel takes it back when its holder dies, however it dies, so there
 * are no stale locks to judge. Puppet Server ignores the file.
 */

import { DatabaseSync } from 'node:sqlite';
import { ServiceError } from '../../../lib/service-error.ts';

export interface CaLock {
  release(): void;
}

/** @throws ServiceError `unavailable` when another process has it */
export function lockCaDirectory(path: string): CaLock {
  const database = new DatabaseSync(path);
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!isLocked(error)) throw error;
    throw new ServiceError('unavailable', `The certificate authority is in use by another process: ${path}`, {
      kind: 'puppet-ca/locked',
      cause: error,
    });
  }
  return { release: () => database.close() };
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5;
}
