/** The part of the address that belongs to plans. */

import { type RawSearch, textIn } from '../../lib/search-text.ts';

export interface PlansSearch {
  /** A part of a name. */
  readonly q?: string | undefined;
  /** The environment whose code it is; `production` when absent. */
  readonly code?: string | undefined;
  /** Values of parameters that the form begins with, as JSON. */
  readonly params?: string | undefined;
}

export function plansSearch(search: RawSearch): PlansSearch {
  const code = textIn(search, 'code');
  return {
    q: textIn(search, 'q'),
    code: code === 'production' ? undefined : code,
    params: textIn(search, 'params'),
  };
}
