/** The columns of the list of nodes. */

import type { ListedNode } from '../../api/nodes.ts';
import { QuickLink } from '../../features/quick-link.tsx';
import { Status } from '../../features/status.tsx';
import { valueText } from '../../lib/visible-text.ts';
import { Age } from '../../ui/age.tsx';
import type { Column } from '../../ui/data-table.tsx';

const certname: Column<ListedNode> = {
  id: 'certname',
  title: 'Certname',
  width: 'minmax(220px, 2fr)',
  narrow: 'first',
  isSortable: true,
  render: (row) => (
    <QuickLink link={{ to: '/nodes/$certname', params: { certname: row.certname } }}>
      {row.certname}
    </QuickLink>
  ),
};

const status: Column<ListedNode> = {
  id: 'status',
  title: 'Last run',
  width: '176px',
  narrow: 'detail',
  isSortable: true,
  render: (row) => <Status status={row.status} />,
};

const environment: Column<ListedNode> = {
  id: 'environment',
  title: 'Environment',
  width: 'minmax(120px, 1fr)',
  isSortable: true,
  render: (row) => row.environment ?? '',
};

const reported: Column<ListedNode> = {
  id: 'report_time',
  title: 'Reported',
  width: '112px',
  narrow: 'end',
  isNumeric: true,
  isSortable: true,
  render: (row) => <Age time={row.report_time} />,
};

/** @param paths - of the facts that are columns, too */
export function nodeColumns(paths: readonly string[]): readonly Column<ListedNode>[] {
  return [certname, status, environment, ...paths.map(factColumn), reported];
}

function factColumn(path: string): Column<ListedNode> {
  return {
    id: `fact.${path}`,
    title: path,
    width: 'minmax(120px, 1fr)',
    render({ facts }) {
      const value = facts[`fact.${path}`];
      return value === undefined || value === null ? '' : valueText(value);
    },
  };
}
