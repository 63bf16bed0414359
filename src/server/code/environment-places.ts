/** Where environments are staged, and what their directories are called. */

import { basename, isAbsolute, relative } from 'node:path';
import type { Settings } from '../../platform/settings/index.ts';

export interface EnvironmentPlace {
  /** Below the staging directory. */
  readonly staged: string;
  /** What messages and catalogs call it: an entry of `environmentpath`. */
  readonly logical: string;
}

/** One for each entry of `environmentpath`; entries outside of `codedir` are staged under their last name. */
export function environmentPlaces({
  codeDir,
  environmentPath,
}: Pick<Settings, 'codeDir' | 'environmentPath'>): readonly EnvironmentPlace[] {
  const places: EnvironmentPlace[] = [];
  for (const logical of environmentPath) {
    const below = relative(codeDir, logical);
    const isBelow = below !== '' && !below.startsWith('..') && !isAbsolute(below);
    const staged = isBelow ? below : places.length === 0 ? 'environments' : basename(logical);
    if (!places.some((place) => place.staged === staged)) places.push({ staged, logical });
  }
  return places;
}
