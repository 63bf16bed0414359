/** Links at the paths of files, so that programs and libraries find them that know nothing of copies. */

import { mkdir, rmdir, symlink, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { linkTarget } from './own-files.ts';

export interface PlacedLinks {
  readonly links: readonly string[];
  /** Directories that were made for them, the outermost first. */
  readonly directories: readonly string[];
}

export const noLinks: PlacedLinks = { links: [], directories: [] };

/**
 * Makes links to files below `target` where there is nothing, and removes those of `before` that are not wanted any more. Never
 * touches anything else. A path at which this process may not write gets none.
 *
 * @param target - a link to the directory that holds the files that count
 */
export async function placeLinks(
  paths: readonly string[],
  target: string,
  before: PlacedLinks,
): Promise<PlacedLinks> {
  const links: string[] = [];
  const directories = [...before.directories];
  for (const path of paths) {
    const made = await makeDirectories(dirname(path));
    directories.push(...made);
    if (await makeLink(path, join(target, path))) links.push(path);
  }
  for (const path of before.links) if (!links.includes(path)) await removeLink(path, target);
  return { links, directories: await removeEmpty(directories, links) };
}

async function makeLink(path: string, to: string): Promise<boolean> {
  try {
    await symlink(to, path);
    return true;
  } catch {
    // Something is there, or this process may not write: then only our own readers find the file.
    return (await linkTarget(path)) === to;
  }
}

async function removeLink(path: string, target: string): Promise<void> {
  if ((await linkTarget(path)) === join(target, path)) await unlink(path).catch(() => {}); // it is gone, or may not be removed any more
}

/** @returns those that were not there, the outermost first */
async function makeDirectories(path: string): Promise<readonly string[]> {
  try {
    const first = await mkdir(path, { recursive: true, mode: 0o755 });
    if (first === undefined) return [];
    const made: string[] = [];
    for (let each = path; each.length >= first.length; each = dirname(each)) made.unshift(each);
    return made;
  } catch {
    return [];
  }
}

/** @returns those that are still needed */
async function removeEmpty(directories: readonly string[], links: readonly string[]): Promise<string[]> {
  const needed: string[] = [];
  for (const directory of new Set(directories.toReversed())) {
    if (links.some((link) => link.startsWith(`${directory}/`))) needed.unshift(directory);
    else await rmdir(directory).catch(() => {}); // somebody uses it
  }
  return needed;
}
