/** Which of the files a compile server reads from the primary's copies, and which it has itself. */

import { lstat, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredFiles } from './file-store.ts';
import { isWithin } from './path-reader.ts';

export interface ChosenFiles {
  /** Paths that stand for others: files, and directories that this server does not have. */
  readonly mappings: readonly { readonly logicalDirectory: string; readonly physicalDirectory: string }[];
  /** The files of the primary that count here. */
  readonly paths: readonly string[];
  /** Files of this server itself that count instead and are not the same. */
  readonly different: readonly string[];
}

/**
 * A file that a server has itself counts, since its administrator put it there. Links that servers placed are none of those.
 *
 * @param madeDirectories - directories that were made for such links
 */
export async function chooseFiles(
  { directory, files, paths }: StoredFiles,
  madeDirectories: readonly string[],
): Promise<ChosenFiles> {
  const chosen: string[] = [];
  const different: string[] = [];
  for (const { path } of files)
    if (!(await isOwn(path))) chosen.push(path);
    else if (!(await isSame(path, join(directory, path)))) different.push(path);
  const whole: string[] = [];
  for (const path of paths) {
    const isDirectory = files.some((file) => file.path !== path && isWithin(file.path, path));
    if (isDirectory && (madeDirectories.includes(path) || !(await isThere(path)))) whole.push(path);
  }
  const single = chosen.filter((path) => !whole.some((each) => isWithin(path, each)));
  return {
    mappings: [...single, ...whole].map((path) => ({
      logicalDirectory: path,
      physicalDirectory: join(directory, path),
    })),
    paths: chosen,
    different,
  };
}

/** Whether this server itself has something there that it can read. */
export async function isOwn(path: string): Promise<boolean> {
  if (placedTarget.test((await linkTarget(path)) ?? '')) return false;
  return await readFile(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code === 'EISDIR',
  );
}

/** Also of another server on the same machine. */
const placedTarget = /\/server-files\/current\//;

/** @returns `undefined` when there is no link */
export async function linkTarget(path: string): Promise<string | undefined> {
  return await readlink(path).catch(() => undefined);
}

async function isThere(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}

async function isSame(path: string, other: string): Promise<boolean> {
  const [own, theirs] = await Promise.all([path, other].map((each) => readFile(each).catch(() => undefined)));
  return own !== undefined && theirs !== undefined && own.equals(theirs);
}
