/** The part of the address that belongs to the list of reports. */

import { oneIn, type RawSearch, textIn } from '../../lib/search-text.ts';

export const reportFilters = ['failed', 'changed', 'unchanged', 'noop'] as const;
export type ReportFilter = (typeof reportFilters)[number];

export interface ReportsSearch {
  /** A part of a certname. */
  readonly q?: string | undefined;
  readonly status?: ReportFilter | undefined;
  readonly environment?: string | undefined;
}

export function reportsSearch(search: RawSearch): ReportsSearch {
  return {
    q: textIn(search, 'q'),
    status: oneIn(search, 'status', reportFilters),
    environment: textIn(search, 'environment'),
  };
}
