/** The columns of lists of reports. */

import type { ReportRow } from '../api/puppetdb.ts';
import { durationText } from '../lib/time.ts';
import { Age } from '../ui/age.tsx';
import type { Column } from '../ui/data-table.tsx';
import { QuickLink } from './quick-link.tsx';
import { statusOfReport } from './report-queries.ts';
import { Status } from './status.tsx';

function seconds({ end_time, start_time }: ReportRow): number {
  return (Date.parse(end_time) - Date.parse(start_time)) / 1000;
}

const certname: Column<ReportRow> = {
  id: 'certname',
  title: 'Node',
  width: 'minmax(200px, 2fr)',
  narrow: 'detail',
  render: ({ certname: name }) => (
    <QuickLink link={{ to: '/nodes/$certname', params: { certname: name } }}>{name}</QuickLink>
  ),
};

const status: Column<ReportRow> = {
  id: 'status',
  title: 'Run',
  width: '180px',
  narrow: 'first',
  render: (report) => (
    <QuickLink link={{ to: '/reports/$hash', params: { hash: report.hash } }}>
      <Status status={statusOfReport(report)} />
    </QuickLink>
  ),
};

const took: Column<ReportRow> = {
  id: 'duration',
  title: 'Took',
  width: '80px',
  isNumeric: true,
  isTitled: true,
  render: (row) => durationText(seconds(row)),
};

const others: readonly Column<ReportRow>[] = [
  { id: 'environment', title: 'Environment', width: 'minmax(110px, 1fr)', render: (row) => row.environment },
  { id: 'puppet', title: 'Agent', width: '80px', render: (row) => row.puppet_version },
  took,
  {
    id: 'end_time',
    title: 'Ended',
    width: '112px',
    narrow: 'end',
    isNumeric: true,
    render: (row) => <Age time={row.end_time} />,
  },
];

export const reportTableColumns: readonly Column<ReportRow>[] = [status, certname, ...others];

/** Of one node, whose name is said above. */
export const ownReportColumns: readonly Column<ReportRow>[] = [status, ...others].map((column) =>
  column === took ? { ...took, narrow: 'detail' } : column,
);
