/** The runs of all nodes, the latest first. */

import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { type ReactElement, useCallback, useMemo } from 'react';
import { AsOf } from '../../features/as-of.tsx';
import { ExportButtons } from '../../features/export-buttons.tsx';
import { useTopic } from '../../features/live.ts';
import { useUpdates } from '../../features/long-lists.ts';
import { PageHeader } from '../../features/page-header.tsx';
import { reportTableColumns } from '../../features/report-columns.tsx';
import { shortTime } from '../../lib/time.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Select } from '../../ui/select.tsx';
import { Empty } from '../../ui/states.tsx';
import styles from './page.module.css';
import { reportRows, reportsExport } from './queries.ts';
import type { ReportFilter } from './search.ts';

const route = getRouteApi('/reports');

const statusOptions: readonly (readonly [ReportFilter | '', string])[] = [
  ['', 'Any status'],
  ['failed', 'Failed'],
  ['changed', 'Changed'],
  ['unchanged', 'Unchanged'],
  ['noop', 'No-op'],
];

export function ReportsPage(): ReactElement {
  const query = reportRows(route.useSearch());
  const reports = useInfiniteQuery(query);
  const updates = useUpdates(query.queryKey);
  useTopic('nodes');
  return (
    <>
      <PageHeader title="Reports" aside={<AsOf query={reports} updates={updates} />}>
        <Filter />
      </PageHeader>
      <List />
    </>
  );
}

function Filter(): ReactElement {
  const { q = '', status = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const search = useCallback(
    (text: string) =>
      void navigate({ search: (before) => ({ ...before, q: text.trim() || undefined }), replace: true }),
    [navigate],
  );
  const choose = (chosen: ReportFilter | '') =>
    void navigate({ search: (before) => ({ ...before, status: chosen === '' ? undefined : chosen }) });
  return (
    <div className={styles.filter}>
      <SearchField label="Certname" value={q} placeholder="Part of a certname" onChange={search} />
      <Select label="Status" value={status} options={statusOptions} onChange={choose} />
      <Times />
      <ExportButtons list={reportsExport(route.useSearch())} />
    </div>
  );
}

/** Pages that link here set the times. */
function Times(): ReactElement | undefined {
  const { from, to } = route.useSearch();
  const navigate = route.useNavigate();
  if (from === undefined && to === undefined) return undefined;
  const words = [
    ...(from === undefined ? [] : [`from ${shortTime(new Date(from))}`]),
    ...(to === undefined ? [] : [`to ${shortTime(new Date(to))}`]),
  ].join(' ');
  const clear = () => void navigate({ search: (before) => ({ ...before, from: undefined, to: undefined }) });
  return (
    <span className={styles.times}>
      Ended {words}
      <Button look="quiet" label="Of any time" onPress={clear}>
        <X size={16} aria-hidden />
      </Button>
    </span>
  );
}

function List(): ReactElement {
  const search = route.useSearch();
  const reports = useInfiniteQuery(reportRows(search));
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = reports;
  const rows = useMemo(() => reports.data?.pages.flat() ?? [], [reports.data]);
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  if (reports.data === undefined) return <Pending query={reports} what="The reports" rows={12} />;
  if (rows.length === 0)
    return Object.values(search).every((value) => value === undefined) ? (
      <Empty title="No reports yet">An agent sends one after each run.</Empty>
    ) : (
      <Empty title="No report matches">Choose another status or time, or a shorter part of a certname.</Empty>
    );
  return (
    <DataTable
      label="Reports"
      columns={reportTableColumns}
      rows={rows}
      rowKey={({ hash }) => hash}
      {...(hasNextPage && !isFetchingNextPage ? { onMore: more } : {})}
    />
  );
}
