/** The files below a directory, level by level. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { RequestFailed } from '../../platform/indirection/index.ts';
import type { Boundary } from './boundary.ts';
import { type Examined, examine, examineChild, orMissing } from './examine.ts';
import type { FilesetOptions } from './request-options.ts';

export interface FilesetEntry {
  /** `.` for the directory itself, else the path below it. */
  readonly relativePath: string;
  /** `undefined` for a link that leads nowhere or out of the boundary, when links are followed. */
  readonly examined: Examined | undefined;
}

/** A directory (or a file, which has no entries but itself). */
export interface FilesetRoot {
  readonly path: string;
  readonly boundary: Boundary;
}

interface Directory {
  readonly relativePath: string;
  readonly real: string;
  readonly depth: number;
  /** The real paths of the directories above: a link back to one of them is not entered again. */
  readonly above: readonly string[];
}

/**
 * Walks the tree: `.` first, then all entries of one level before those of the next, siblings by name.
 *
 * @param logicalPath - what complaints call the root
 * @throws RequestFailed when the root does not exist or has more entries than `maxFiles`
 */
export async function listFileset(
  root: FilesetRoot,
  options: FilesetOptions,
  logicalPath: string,
): Promise<readonly FilesetEntry[]> {
  const examined = await examine(root.path, options.links, root.boundary);
  if (examined === undefined) throw new RequestFailed('Fileset paths must exist');
  const entries: FilesetEntry[] = [{ relativePath: '.', examined }];
  const queue: Directory[] = [];
  if (examined.stat.isDirectory()) queue.push({ relativePath: '', real: examined.real, depth: 0, above: [] });
  for (let directory = queue.shift(); directory !== undefined; directory = queue.shift()) {
    if (!options.recurses || directory.depth + 1 > options.recurseLimit) continue;
    for (const entry of await listDirectory(root, directory, options)) {
      entries.push(entry);
      const below = subdirectory(directory, entry);
      if (below !== undefined) queue.push(below);
    }
  }
  assertWithinLimit(logicalPath, entries.length - 1, options.maxFiles);
  return entries;
}

async function listDirectory(
  root: FilesetRoot,
  directory: Directory,
  { links, isIgnored }: FilesetOptions,
): Promise<readonly FilesetEntry[]> {
  const names = (await orMissing(() => readdir(directory.real, { withFileTypes: true }))) ?? [];
  const kept = names.filter((entry) => !isIgnored(entry.name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  const entries: FilesetEntry[] = [];
  for (const entry of kept) {
    const real = join(directory.real, entry.name);
    entries.push({
      relativePath: directory.relativePath === '' ? entry.name : `${directory.relativePath}/${entry.name}`,
      examined: await examineChild(real, entry.isSymbolicLink(), links, root.boundary),
    });
  }
  return entries;
}

function subdirectory(parent: Directory, { relativePath, examined }: FilesetEntry): Directory | undefined {
  if (examined === undefined || !examined.stat.isDirectory()) return undefined;
  const above = [...parent.above, parent.real];
  if (above.includes(examined.real)) return undefined;
  return { relativePath, real: examined.real, depth: parent.depth + 1, above };
}

function assertWithinLimit(path: string, entries: number, maxFiles: number): void {
  if (maxFiles <= 0 || entries <= maxFiles) return;
  throw new RequestFailed(
    `The directory '${path}' contains ${entries} entries, which exceeds the limit of ${maxFiles} specified by ` +
      'the max_files parameter for this resource. The limit may be increased, but be aware that large number of ' +
      'file resources can result in excessive resource consumption and degraded performance. Consider using an ' +
      'alternate method to manage large directory trees',
  );
}
