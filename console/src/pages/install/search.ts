/** The part of the address that belongs to the installation of agents. */

import { codeIn, type RawSearch, textIn } from '../../lib/search-text.ts';

export interface InstallSearch {
  /** The environment of the agents: that of all pages when absent. */
  readonly code?: string | undefined;
  readonly names?: string | undefined;
  readonly extensions?: string | undefined;
}

export function installSearch(search: RawSearch): InstallSearch {
  return {
    code: codeIn(search),
    names: textIn(search, 'names'),
    extensions: textIn(search, 'extensions'),
  };
}
