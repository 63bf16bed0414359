/**
 * Files and directories that root makes for a service with a user of its own.
 *
 * An operator's commands run as root, servers do not: what root makes in a directory belongs to the directory's owner, so
 * that the server can go on reading and replacing it.
 */

import { lchown, mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Makes a directory and those above it; made by root, they belong to the owner of the first one that was there.
 *
 * @throws the system's error (`EACCES`, `ENOTDIR`, ...)
 */
export async function makeDirectory(path: string, mode = 0o777): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode });
  if (first === undefined) return;
  const owner = await ownerForNewFiles(dirname(resolve(first)));
  if (owner === undefined) return;
  for (let made = resolve(path); made.length >= resolve(first).length; made = dirname(made))
    // Never what a link leads to: the owner of the directory may have put one there.
    await lchown(made, owner.uid, owner.gid);
}

/** The owner of files that this process makes in a directory; `undefined` when it cannot choose, as all users but root. */
export async function ownerForNewFiles(directory: string): Promise<Owner | undefined> {
  if (process.geteuid?.() !== 0) return undefined;
  const { gid, uid } = await stat(directory);
  return uid === 0 ? undefined : { uid, gid };
}
