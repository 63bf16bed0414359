/** Waiting for conditions, never for time. */

import { setTimeout as sleep } from 'node:timers/promises';
import { pollIntervalMs } from '../../../demo/process.ts';

/**
 * Asks until the answer is something.
 *
 * @returns what was found
 * @throws Error naming what was waited for
 */
export async function until<T>(
  what: string,
  find: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs = 300_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await find();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`${what} did not happen within ${timeoutMs} ms`);
    await sleep(pollIntervalMs);
  }
}
