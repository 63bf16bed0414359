/** Starts programs whose file may be open for writing at this moment (ETXTBSY). */

import { setTimeout as sleep } from 'node:timers/promises';

const attempts = 20;
const pauseMs = 25;

/**
 * Starts a program, and retries for at most half a second while its file is open for writing: it is being replaced, or
 * a child that was forked meanwhile has not closed it yet.
 *
 * @param start - starts it and listens to it at once; called again as long as it fails with `ETXTBSY`
 * @throws what `start` throws, or its promise is rejected with
 */
export async function retryOnTextBusy<T>(start: () => T | Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start();
    } catch (error) {
      if (attempt === attempts || !isTextBusy(error)) throw error;
    }
    await sleep(pauseMs);
  }
}

/** Whether a program could not be started because its file is open for writing. */
export function isTextBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ETXTBSY';
}
