/** Queries of the list of reports. */

import { infiniteQueryOptions } from '@tanstack/react-query';
import { readReports } from '../../features/report-queries.ts';
import { quoted, quotedPattern } from '../../lib/pql.ts';
import type { ReportFilter, ReportsSearch } from './search.ts';

const pageRows = 100;

const statusConditions: Readonly<Record<ReportFilter, string>> = {
  failed: 'status = "failed"',
  changed: 'status = "changed"',
  unchanged: 'status = "unchanged"',
  noop: 'noop = true',
};

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function reportRows(search: ReportsSearch) {
  return infiniteQueryOptions({
    queryKey: ['pdb', 'reports', search],
    queryFn: ({ pageParam, signal }) =>
      readReports({ conditions: conditionsOf(search), limit: pageRows, offset: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < pageRows ? undefined : pages.length * pageRows),
    placeholderData: (previous) => previous,
  });
}

function conditionsOf({ environment, q, status }: ReportsSearch): readonly string[] {
  return [
    ...(q === undefined ? [] : [`certname ~ ${quotedPattern(q.toLowerCase())}`]),
    ...(status === undefined ? [] : [statusConditions[status]]),
    ...(environment === undefined ? [] : [`environment = ${quoted(environment)}`]),
  ];
}
