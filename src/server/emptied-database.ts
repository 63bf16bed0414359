/** A database file without content: SQLite takes it for a new one, and everything that it held is missing silently. */

import { stat } from 'node:fs/promises';
import type { Logger } from '../platform/log/index.ts';

/** Logs an error when the file is there and empty. To be called before it is opened. */
export async function tellIfEmptied(file: string, log: Logger): Promise<void> {
  const found = await stat(file).catch(undefinedIfMissing);
  if (found?.size !== 0) return;
  log.error({ file }, 'database was empty: going on with a new one, restore it from a backup');
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
