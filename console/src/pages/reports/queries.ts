/** Queries of the list of reports. */

import { infiniteQueryOptions } from '@tanstack/react-query';
import type { ExportedList } from '../../api/exports.ts';
import { reportColumns } from '../../api/puppetdb.ts';
import { wholeQuery } from '../../features/export-buttons.tsx';
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

/** The whole list. */
export function reportsExport(search: ReportsSearch): ExportedList {
  const conditions = conditionsOf(search);
  return wholeQuery({ entity: 'reports', columns: reportColumns, conditions, orderBy: ['end_time desc'] });
}

function conditionsOf({ environment, from, q, status, to }: ReportsSearch): readonly string[] {
  return [
    ...(q === undefined ? [] : [`certname ~ ${quotedPattern(q.toLowerCase())}`]),
    ...(status === undefined ? [] : [statusConditions[status]]),
    ...(environment === undefined ? [] : [`environment = ${quoted(environment)}`]),
    ...(from === undefined ? [] : [`end_time >= ${quoted(from)}`]),
    ...(to === undefined ? [] : [`end_time < ${quoted(to)}`]),
  ];
}
