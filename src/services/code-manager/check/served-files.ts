/** The files of an environment that a server would load. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

export type ServedFileKind = 'manifest' | 'plan' | 'template' | 'data';

export interface ServedFile {
  readonly path: string;
  readonly kind: ServedFileKind;
}

/** Directories in which modules keep what is for tests and for people. */
const unserved = new Set([
  '.git',
  '.github',
  'spec',
  'test',
  'tests',
  'examples',
  'node_modules',
  'vendor',
  'files',
]);
const manifestDirectories = new Set(['manifests', 'functions', 'types']);
const dataDirectories = new Set(['data', 'hieradata']);

export async function servedFiles(environment: string): Promise<readonly ServedFile[]> {
  const found: ServedFile[] = [];
  await collect(environment, undefined, found);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** @param kind - what files in this directory are */
async function collect(
  directory: string,
  kind: ServedFileKind | undefined,
  found: ServedFile[],
): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) {
      if (kind !== undefined || !unserved.has(entry.name))
        await collect(path, kind ?? kindOfDirectory(entry.name), found);
    } else if (entry.isFile() && isServed(entry.name, kind)) found.push({ path, kind: kind ?? 'data' });
  }
}

function kindOfDirectory(name: string): ServedFileKind | undefined {
  if (manifestDirectories.has(name)) return 'manifest';
  if (dataDirectories.has(name)) return 'data';
  if (name === 'plans') return 'plan';
  return name === 'templates' ? 'template' : undefined;
}

function isServed(name: string, kind: ServedFileKind | undefined): boolean {
  switch (kind) {
    case 'manifest':
      return name.endsWith('.pp');
    case 'plan':
      return /\.(pp|ya?ml)$/.test(name);
    case 'template':
      return name.endsWith('.epp');
    case 'data':
      // Encrypted keys and other formats must not be readable by all.
      return /\.ya?ml$/.test(name);
    case undefined:
      return name === 'hiera.yaml';
    default:
      return kind satisfies never;
  }
}
