/** Files that are whole or absent, also after a power failure. */

import { randomBytes } from 'node:crypto';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ownerForNewFiles } from './make-directory.ts';

/**
 * Replaces a file: readers see the old content or the new, never a part. Written by root, it belongs to the owner of its
 * directory.
 *
 * @param mode - permissions of the new file, whatever the umask is; 0644 without the bits of the umask when absent
 * @throws the system's error (`ENOSPC`, `EACCES`, ...), the old file untouched
 */
export async function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  mode?: number,
): Promise<void> {
  await replace(path, content, mode);
  await syncDirectory(dirname(path));
}

export interface AtomicFile {
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly mode: number;
}

/** Replaces several files, each of them whole or not at all; their directories are synced once each. */
export async function writeFilesAtomically(files: readonly AtomicFile[]): Promise<void> {
  await Promise.all(files.map(({ path, content, mode }) => replace(path, content, mode)));
  await Promise.all(Array.from(new Set(files.map(({ path }) => dirname(path))), syncDirectory));
}

async function replace(path: string, content: string | Uint8Array, mode?: number): Promise<void> {
  const temporary = temporaryPath(path);
  try {
    const owner = await ownerForNewFiles(dirname(path));
    const file = await open(temporary, 'wx', mode ?? 0o644);
    try {
      if (mode !== undefined) await file.chmod(mode);
      if (owner) await file.chown(owner.uid, owner.gid);
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The name is cut, because a file name has at most 255 bytes and the file's own may need them all. */
function temporaryPath(path: string): string {
  return join(dirname(path), `${basename(path).slice(0, 50)}.${randomBytes(6).toString('hex')}.tmp`);
}

/**
 * Removes what killed processes have left in a directory. No process may be writing there.
 *
 * @param directory - need not be there
 */
export async function removeUnfinishedFiles(directory: string): Promise<void> {
  for (const name of await readdir(directory).catch(noneIfMissing))
    if (unfinished.test(name)) await rm(join(directory, name), { force: true });
}

const unfinished = /\.[0-9a-f]{12}\.tmp$/;

function noneIfMissing(error: NodeJS.ErrnoException): never[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

/** Makes the names in a directory durable. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
