/** Starting programs that somebody may be writing at this moment. */

import { setTimeout as sleep } from 'node:timers/promises';

const attempts = 20;
const pauseMs = 25;

/**
 * Starts a program, and waits for half a second at most while the kernel says that its file is open for writing: it is
 * being replaced, or another child that was forked meanwhile has not yet closed it.
 *
 * @param start - starts it and listens to it at once; called again as long as it fails with `ETXTBSY`
 * @throws what `start` throws, or its promise is rejected with
 */
export async function startWhenWritten<T>(start: () => T | Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start();
    } catch (error) {
      if (attempt === attempts || !isBeingWritten(error)) throw error;
    }
    await sleep(pauseMs);
  }
}

/** Whether a program could not be started because somebody has its file open for writing. */
export function isBeingWritten(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ETXTBSY';
}
