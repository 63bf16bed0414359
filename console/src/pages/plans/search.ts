/** The part of the address that belongs to plans. */

import { codeIn, type RawSearch, textIn } from '../../lib/search-text.ts';

export interface PlansSearch {
  /** A part of a name. */
  readonly q?: string | undefined;
  /** The environment whose code it is: that of all pages, or else `production`, when absent. */
  readonly code?: string | undefined;
  /** Values of parameters that the form begins with, as JSON. */
  readonly params?: string | undefined;
}

export function plansSearch(search: RawSearch): PlansSearch {
  return {
    q: textIn(search, 'q'),
    code: codeIn(search),
    params: textIn(search, 'params'),
  };
}
