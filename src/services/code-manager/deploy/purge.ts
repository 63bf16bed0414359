/** Removes what is not declared any more. */

import { readdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Paths are absolute. */
export interface PuppetfilePurge {
  /** Directories that hold modules. */
  readonly managed: ReadonlySet<string>;
  /** Modules. */
  readonly desired: ReadonlySet<string>;
  /** What else may be there: content of the control repository. */
  readonly kept: ReadonlySet<string>;
}

/** Removes files that are no modules from the directories of modules. @returns what was removed */
export async function purgeModules({ managed, desired, kept }: PuppetfilePurge): Promise<readonly string[]> {
  const stale: string[] = [];
  for (const directory of managed)
    for (const name of await readdir(directory).catch(() => [])) {
      const path = join(directory, name);
      if (!desired.has(path) && !kept.has(path) && !managed.has(path)) stale.push(path);
    }
  for (const path of stale) await rm(path, { recursive: true, force: true });
  return stale;
}

export interface EnvironmentPurge extends PuppetfilePurge {
  readonly directory: string;
  /** Patterns for paths relative to the environment. */
  readonly allowed: readonly RegExp[];
}

/** Removes from an environment what is neither in the control repository nor part of a module. */
export async function purgeEnvironment(purge: EnvironmentPurge): Promise<readonly string[]> {
  const { directory, managed, desired } = purge;
  const untouched = new Set([join(directory, '.r10k-deploy.json'), ...managed, ...desired]);
  const stale: string[] = [];
  await collectStale(directory, { ...purge, untouched }, stale);
  for (const path of stale) await rm(path, { recursive: true, force: true });
  return stale;
}

async function collectStale(
  directory: string,
  purge: EnvironmentPurge & { readonly untouched: ReadonlySet<string> },
  stale: string[],
): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (purge.untouched.has(path) || holdsAny(path, purge.untouched)) continue;
    if (purge.allowed.some((pattern) => pattern.test(relative(purge.directory, path)))) continue;
    if (!purge.kept.has(path)) stale.push(path);
    if (entry.isDirectory()) await collectStaleBelow(path, purge, stale);
  }
}

/** A directory that has something allowed in it goes all the same, as with r10k: the allowlist has to name it, too. */
async function collectStaleBelow(
  path: string,
  purge: EnvironmentPurge & { readonly untouched: ReadonlySet<string> },
  stale: string[],
): Promise<void> {
  if (purge.kept.has(path)) await collectStale(path, purge, stale);
}

/** The directories above modules stay, whatever else is in them. */
function holdsAny(path: string, untouched: ReadonlySet<string>): boolean {
  for (const other of untouched) if (other.startsWith(`${path}/`)) return true;
  return false;
}
