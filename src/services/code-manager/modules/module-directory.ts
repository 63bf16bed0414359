/** The directory of a module: that it is where it seems to be, and how it is replaced. */

import { randomUUID } from 'node:crypto';
import { cp, lstat, mkdir, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { DeployError } from '../deploy-error.ts';
import type { ModuleContext } from './module-context.ts';
import type { ModuleDeclaration } from './module-declaration.ts';

/**
 * Makes the directory in which a module lies. Links in the control repository don't lead anybody out of it.
 *
 * @throws DeployError when the directory is really somewhere else
 */
export async function prepareParent(
  { directory, name }: ModuleDeclaration,
  context: ModuleContext,
): Promise<void> {
  const parent = dirname(directory);
  const root = await realpath(context.directory);
  await checkInside(await nearestExisting(parent), root, name);
  await mkdir(parent, { recursive: true });
  await checkInside(parent, root, name);
  const stats = await lstat(directory).catch(() => undefined);
  if (stats !== undefined && !stats.isDirectory()) await rm(directory, { force: true });
}

export async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

/** Takes away a module that came from elsewhere. */
export async function clear({ directory }: ModuleDeclaration, index?: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  if (index === undefined) return;
  await Promise.all(['', '.lock', '.pending'].map((suffix) => rm(index + suffix, { force: true })));
}

/** Replaces the existing directory by a finished one. */
export async function replace(finished: string, { directory }: ModuleDeclaration): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  try {
    await rename(finished, directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await cp(finished, directory, { recursive: true, verbatimSymlinks: true });
  }
}

/** A name for a directory that does not exist yet. */
export function temporaryPath({ temporaryDirectory }: ModuleContext): string {
  return join(temporaryDirectory, randomUUID());
}

/** The path of a module relative to its environment: what its state is kept under. */
export function keyOf({ directory }: ModuleDeclaration, context: ModuleContext): string {
  return relative(context.directory, directory);
}

async function nearestExisting(path: string): Promise<string> {
  let current = path;
  while (!(await exists(current)) && dirname(current) !== current) current = dirname(current);
  return current;
}

async function checkInside(path: string, root: string, name: string): Promise<void> {
  const real = await realpath(path).catch(() => '/');
  if (real === root || real.startsWith(`${root}/`)) return;
  throw new DeployError(
    `Puppetfile cannot manage content '${name}' outside of containing environment: ${path} is really ${real}`,
  );
}
