/** The part of the address that belongs to the facts of all nodes. */

import { type RawSearch, textIn } from '../../lib/search-text.ts';

export interface FactsSearch {
  /** The fact whose values are shown: `os.name`. */
  readonly path?: string | undefined;
  /** A part of the names that are listed. */
  readonly find?: string | undefined;
  /** Only these nodes are counted. */
  readonly q?: string | undefined;
}

export function factsSearch(search: RawSearch): FactsSearch {
  return { path: textIn(search, 'path'), find: textIn(search, 'find'), q: textIn(search, 'q') };
}
