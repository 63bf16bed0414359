/** The part of the address that belongs to the overview. */

import { type RawSearch, textIn } from '../../lib/search-text.ts';

export interface OverviewSearch {
  readonly environment?: string | undefined;
}

export function overviewSearch(search: RawSearch): OverviewSearch {
  return { environment: textIn(search, 'environment') };
}
