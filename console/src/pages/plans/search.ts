/** The part of the address that belongs to plans. */

import { type RawSearch, textIn } from '../../lib/search-text.ts';

export interface PlansSearch {
  /** A part of a name. */
  readonly q?: string | undefined;
  /** `production` when absent. */
  readonly environment?: string | undefined;
  /** Values of parameters that the form begins with, as JSON. */
  readonly params?: string | undefined;
}

export function plansSearch(search: RawSearch): PlansSearch {
  const environment = textIn(search, 'environment');
  return {
    q: textIn(search, 'q'),
    environment: environment === 'production' ? undefined : environment,
    params: textIn(search, 'params'),
  };
}
