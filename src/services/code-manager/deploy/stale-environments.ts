/** Environments that are deployed but that no source has any more: which they are, and which of them must stay. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Listing } from '../environments/sources.ts';

export interface DeployedEnvironment {
  readonly name: string;
  readonly directory: string;
}

/**
 * Finds what r10k's purge level `deployment` removes.
 *
 * @param listings - the environments of these are wanted; the failures of the first leave its directories alone
 */
export async function findStaleEnvironments(
  basedirs: readonly string[],
  listings: readonly [Listing, ...Listing[]],
): Promise<readonly DeployedEnvironment[]> {
  const wanted = new Set(
    listings.flatMap(({ environments }) => environments.map(({ directory }) => directory)),
  );
  const uncertain = new Set(listings[0].failures.map(({ basedir }) => basedir));
  const stale: DeployedEnvironment[] = [];
  for (const basedir of basedirs)
    if (!uncertain.has(basedir))
      stale.push(...(await directoriesIn(basedir)).filter(({ directory }) => !wanted.has(directory)));
  return stale;
}

/** Tells why an environment stays, and what to do about it. */
export function renderKept(environment: string, users: string): string {
  return (
    `Environment '${environment}' is in no source any more, but it was not removed because it is in use: ${users}. ` +
    `Bring it back into a source (r10k.yaml, the branch), or remove it with: bunraku code deploy ${environment} --purge-in-use`
  );
}

async function directoriesIn(basedir: string): Promise<readonly DeployedEnvironment[]> {
  const entries = await readdir(basedir, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, directory: join(basedir, name) }));
}
