/** The part of the address that belongs to packages. */

import { oneIn, type RawSearch, textIn } from '../../lib/search-text.ts';

export const packageStates = ['updates', 'security'] as const;
export type PackageState = (typeof packageStates)[number];

export interface PackagesSearch {
  /** A part of the name. */
  readonly q?: string | undefined;
  /** By name when absent. */
  readonly sort?: 'nodes' | undefined;
  /** All that are installed when absent; those with updates, or with updates that mend security. */
  readonly state?: PackageState | undefined;
  /** The package that is looked at. */
  readonly package?: string | undefined;
}

export function packagesSearch(search: RawSearch): PackagesSearch {
  return {
    q: textIn(search, 'q'),
    sort: oneIn(search, 'sort', ['nodes']),
    state: oneIn(search, 'state', packageStates),
    package: textIn(search, 'package'),
  };
}
