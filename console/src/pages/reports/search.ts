/** The part of the address that belongs to the list of reports. */

import { oneIn, type RawSearch, textIn, timeIn } from '../../lib/search-text.ts';

export const reportFilters = ['failed', 'changed', 'unchanged', 'noop'] as const;
export type ReportFilter = (typeof reportFilters)[number];

export interface ReportsSearch {
  /** A part of a certname. */
  readonly q?: string | undefined;
  readonly status?: ReportFilter | undefined;
  readonly environment?: string | undefined;
  /** ISO times: the run has ended from then on, and before then. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export function reportsSearch(search: RawSearch): ReportsSearch {
  return {
    q: textIn(search, 'q'),
    status: oneIn(search, 'status', reportFilters),
    environment: textIn(search, 'environment'),
    from: timeIn(search, 'from'),
    to: timeIn(search, 'to'),
  };
}
