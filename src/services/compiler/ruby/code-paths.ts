/** Where code lies, for people and for the file system. */

import { type DirectoryMapping, mapped } from '../../../lib/disk-file-tree.ts';

export interface CodePaths {
  /** What users know: `/etc/puppetlabs/code/environments/production`. */
  readonly logicalDirectory: string;
  /** Where this version of it is. */
  readonly physicalDirectory: string;
  /** What lies elsewhere: modules that all environments share. */
  readonly others?: readonly DirectoryMapping[];
}

export function physicalPath(path: string, paths: CodePaths): string {
  const inside = mapped(path, paths);
  if (inside !== undefined) return inside;
  for (const other of paths.others ?? []) {
    const elsewhere = mapped(path, other);
    if (elsewhere !== undefined) return elsewhere;
  }
  return path;
}

/** Text in which paths may occur, as users know them. */
export function withLogicalPaths(text: string, paths: CodePaths): string {
  let known = text;
  for (const { logicalDirectory, physicalDirectory } of [paths, ...(paths.others ?? [])])
    if (physicalDirectory !== logicalDirectory) known = known.replaceAll(physicalDirectory, logicalDirectory);
  return known;
}
