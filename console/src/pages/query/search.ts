/** The part of the address that belongs to queries. */

import { type RawSearch, textIn } from '../../lib/search-text.ts';

export interface QuerySearch {
  /** The query that was run last. */
  readonly pql?: string | undefined;
}

export function querySearch(search: RawSearch): QuerySearch {
  return { pql: textIn(search, 'pql') };
}
