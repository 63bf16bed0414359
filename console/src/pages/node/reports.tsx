/** All reports of a node that are kept. */

import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactElement, useCallback, useMemo } from 'react';
import { ownReportColumns } from '../../features/report-columns.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/states.tsx';
import { allReports } from './queries.ts';

export function Reports({ certname }: { readonly certname: string }): ReactElement {
  const reports = useInfiniteQuery(allReports(certname));
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = reports;
  const rows = useMemo(() => reports.data?.pages.flat() ?? [], [reports.data]);
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  if (reports.data === undefined) return <Pending query={reports} what="The reports" />;
  if (rows.length === 0)
    return <Empty title="No reports yet">The agent sends a report after each run.</Empty>;
  return (
    <DataTable
      label="Reports of the node"
      columns={ownReportColumns}
      rows={rows}
      rowKey={({ hash }) => hash}
      {...(hasNextPage && !isFetchingNextPage ? { onMore: more } : {})}
    />
  );
}
