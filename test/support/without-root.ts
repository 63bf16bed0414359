/** Runs tests without root's rights, to which no file access is refused. */

import { chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Debian's `nobody`. */
const otherUser = 65_534;

/**
 * Runs `work` as an unprivileged user, in all threads of this process. Without root it just runs it.
 * @param directory - it and all below it belong to that user afterwards
 */
export async function withoutRoot<T>(directory: string, work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return await work();
  for (const name of ['.', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })])
    chownSync(join(directory, name), otherUser, otherUser);
  process.seteuid?.(otherUser);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
