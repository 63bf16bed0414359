/** All nodes: filtered, ordered and counted by the server. */

import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useCallback, useMemo, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { AsOf } from '../../features/as-of.tsx';
import { useTopic } from '../../features/live.ts';
import { useUpdates } from '../../features/long-lists.ts';
import { PageHeader } from '../../features/page-header.tsx';
import { DataTable, type Selection, type Sorting } from '../../ui/data-table.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/states.tsx';
import { nodeColumns } from './columns.tsx';
import { Filter } from './filter.tsx';
import { nodePages, nodeQuery } from './queries.ts';
import { factColumns, type NodeSort } from './search.ts';
import { SelectionBar } from './selection-bar.tsx';

const route = getRouteApi('/nodes');
const none: ReadonlySet<string> = new Set();

export function NodesPage(): ReactElement {
  const search = route.useSearch();
  const query = nodePages(search);
  const [selected, setSelected] = useSelected(nodeQuery(search).q);
  const pages = useInfiniteQuery(query);
  const updates = useUpdates(query.queryKey);
  useTopic('nodes');
  return (
    <>
      <PageHeader title="Nodes" aside={<AsOf query={pages} updates={updates} />}>
        <Filter />
      </PageHeader>
      <SelectionBar selected={selected} onSelect={setSelected} />
      <List selection={{ selected, onSelect: setSelected }} />
    </>
  );
}

/** Changing the filter clears the selection: no hidden node stays selected. */
function useSelected(q: string | undefined) {
  const [state, setState] = useState<{ readonly q: string | undefined; readonly keys: ReadonlySet<string> }>({
    q,
    keys: none,
  });
  const change = useCallback((keys: ReadonlySet<string>) => setState({ q, keys }), [q]);
  return [state.q === q ? state.keys : none, change] as const;
}

interface SelectableProps {
  readonly selection: Selection;
}

function List({ selection }: SelectableProps): ReactElement {
  const search = route.useSearch();
  const pages = useInfiniteQuery(nodePages(search));
  if (isBadTerm(pages.error))
    return <Empty title="Unknown term in the filter">{pages.error.message}. Remove the marked term.</Empty>;
  if (pages.data === undefined) return <Pending query={pages} what="The nodes" rows={12} />;
  if (pages.data.pages.some(({ rows }) => rows.length > 0)) return <Table selection={selection} />;
  if (search.q !== undefined || search.environment !== undefined)
    return (
      <Empty title="No node matches">
        Remove a term of the filter or choose all environments to see more nodes.
      </Empty>
    );
  return (
    <Empty title="No nodes yet">
      Install an agent with the command that <code>bunraku packages one-liner</code> prints on the primary.
      Its node is listed after its first run.
    </Empty>
  );
}

function isBadTerm(error: unknown): error is ApiError {
  return error instanceof ApiError && error.kind === 'bunraku.console/bad-term';
}

function Table({ selection }: SelectableProps): ReactElement {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(nodePages(search));
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const sort = search.sort ?? 'certname';
  const sortBy = ({ by, isDescending }: Sorting) => {
    const chosen = `${isDescending ? '-' : ''}${by}` as NodeSort;
    void navigate({ search: (before) => ({ ...before, sort: chosen === 'certname' ? undefined : chosen }) });
  };
  return (
    <DataTable
      label="Nodes"
      columns={nodeColumns(factColumns(search))}
      rows={rows}
      rowKey={({ certname }) => certname}
      total={data?.pages.at(-1)?.total ?? rows.length}
      sorting={{ by: sort.replace(/^-/, ''), isDescending: sort.startsWith('-') }}
      onSort={sortBy}
      selection={selection}
      {...(hasNextPage && !isFetchingNextPage ? { onMore: more } : {})}
    />
  );
}
