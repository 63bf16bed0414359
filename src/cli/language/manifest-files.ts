/** The manifests that a command is given: files, and directories that are searched for them. */

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface ManifestFiles {
  readonly found: readonly string[];
  readonly missing: readonly string[];
}

/** Files as they are named, directories as their `.pp` files at any depth, sorted. */
export function findManifests(paths: readonly string[]): ManifestFiles {
  const found: string[] = [];
  const missing: string[] = [];
  for (const path of paths) {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) missing.push(path);
    else if (stats.isDirectory()) found.push(...manifestsBelow(path));
    else found.push(path);
  }
  return { found, missing };
}

function manifestsBelow(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.pp'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
