/** What is staged on the primary, or lies in a version of it: environments, and what they share. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Where one environment's code is to be committed from. */
export interface CodePlace {
  /** Below the directory of all code: `environments/production`. */
  readonly name: string;
  /** Where its files are. */
  readonly directory: string;
}

export interface FoundEnvironments {
  /** By name of the environment. */
  readonly places: ReadonlyMap<string, CodePlace>;
  /** Directories whose names can't be those of environments. */
  readonly misnamed: readonly string[];
}

const environmentName = /^\w+$/;

export function isEnvironmentName(name: string): boolean {
  return environmentName.test(name);
}

/**
 * @param environmentDirectories - below the root: `environments`; the first that has an environment wins
 */
export async function findEnvironments(
  root: string,
  environmentDirectories: readonly string[],
): Promise<FoundEnvironments> {
  const places = new Map<string, CodePlace>();
  const misnamed: string[] = [];
  for (const directory of environmentDirectories) {
    const entries = await readdir(join(root, directory), { withFileTypes: true }).catch(noneIfMissing);
    for (const entry of entries) {
      const isCandidate = entry.isDirectory() || entry.isSymbolicLink();
      if (!isCandidate || places.has(entry.name)) continue;
      if (!isEnvironmentName(entry.name)) misnamed.push(`${directory}/${entry.name}`);
      else
        places.set(entry.name, {
          name: `${directory}/${entry.name}`,
          directory: join(root, directory, entry.name),
        });
    }
  }
  return { places, misnamed };
}

function noneIfMissing(error: unknown): never[] {
  const { code } = error as { readonly code?: string };
  if (code === 'ENOENT' || code === 'ENOTDIR') return [];
  throw error;
}
