/** The packages that nodes have, with how many nodes have which version, and which wait for updates. */

import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactElement, useCallback, useMemo } from 'react';
import type { PackagePage } from '../../api/fleet.ts';
import { AsOf } from '../../features/as-of.tsx';
import { ExportButtons } from '../../features/export-buttons.tsx';
import { PageHeader } from '../../features/page-header.tsx';
import { termText } from '../../lib/filter-terms.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Select } from '../../ui/select.tsx';
import { Empty } from '../../ui/states.tsx';
import styles from './page.module.css';
import { listedPackages, packagePages } from './queries.ts';
import type { PackageState } from './search.ts';
import { SinglePackage } from './single-package.tsx';
import { Waiting } from './waiting.tsx';

const route = getRouteApi('/packages');

const stateOptions: readonly (readonly [PackageState | '', string])[] = [
  ['', 'Installed'],
  ['updates', 'Updates available'],
  ['security', 'Security updates available'],
];

export function PackagesPage(): ReactElement {
  const { package: name, state } = route.useSearch();
  if (name !== undefined) return <SinglePackage name={name} />;
  return (
    <>
      <PageHeader title="Packages" aside={<Freshness />}>
        <Filter />
      </PageHeader>
      {state === undefined ? <List /> : <Waiting kind={state} />}
    </>
  );
}

function Freshness(): ReactElement | undefined {
  const search = route.useSearch();
  const pages = useInfiniteQuery(packagePages(listedPackages(search)));
  const asOf = pages.data?.pages.at(-1)?.as_of;
  if (asOf === undefined || search.state !== undefined) return undefined;
  return <AsOf query={pages} countedAt={Date.parse(asOf)} />;
}

function Filter(): ReactElement {
  const { q = '', state = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const find = useCallback(
    (text: string) =>
      void navigate({ search: (before) => ({ ...before, q: text.trim() || undefined }), replace: true }),
    [navigate],
  );
  const choose = (chosen: PackageState | '') =>
    void navigate({ search: (before) => ({ ...before, state: chosen === '' ? undefined : chosen }) });
  return (
    <div className={styles.filter}>
      <SearchField label="Search packages" value={q} placeholder="Part of a name" onChange={find} />
      <Select label="State" value={state} options={stateOptions} onChange={choose} />
    </div>
  );
}

type Row = PackagePage['rows'][number];

function List(): ReactElement {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const pages = useInfiniteQuery(packagePages(listedPackages(search)));
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = pages;
  const rows = useMemo(() => pages.data?.pages.flatMap((page) => page.rows) ?? [], [pages.data]);
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const last = pages.data?.pages.at(-1);
  if (last === undefined) return <Pending query={pages} what="The packages" rows={12} />;
  if (!last.is_collected) return <NotCollected environment={search.environment} />;
  if (rows.length === 0)
    return <Empty title="No package matches">Search for a shorter part of a name.</Empty>;
  const { sort = 'name' } = search;
  return (
    <>
      <div className={styles.summary}>
        <span role="status">
          {last.total.toLocaleString()} package {last.total === 1 ? 'version' : 'versions'}
        </span>
        <ExportButtons list={{ list: 'packages', ...listedPackages(search) }} />
      </div>
      <DataTable
        label="Packages"
        columns={columns}
        rows={rows}
        rowKey={({ name, provider, version }) => [name, version, provider].join('\0')}
        total={last.total}
        sorting={{ by: sort, isDescending: sort === 'nodes' }}
        onSort={({ by }) =>
          void navigate({ search: (before) => ({ ...before, sort: by === 'nodes' ? 'nodes' : undefined }) })
        }
        {...(hasNextPage && !isFetchingNextPage ? { onMore: more } : {})}
      />
    </>
  );
}

function NotCollected({ environment }: { readonly environment: string | undefined }): ReactElement {
  const those = environment === undefined ? 'No node' : `No node of ${visibleText(environment)}`;
  return (
    <Empty title={`${those} reports its packages`}>
      A node reports them in the fact <code>_puppet_inventory_1</code>, which holds{' '}
      <code>{'{"packages": [["NAME", "VERSION", "PROVIDER"]]}'}</code>. Agents of Puppet Enterprise have it
      when package inventory is enabled; others need a custom fact. The packages appear after the next run of
      each agent.
    </Empty>
  );
}

const columns: readonly Column<Row>[] = [
  {
    id: 'name',
    title: 'Name',
    width: 'minmax(180px, 2fr)',
    narrow: 'first',
    isSortable: true,
    render: ({ name }) => (
      <Link from="/packages" to="/packages" search={(before) => ({ ...before, package: name })}>
        {visibleText(name)}
      </Link>
    ),
  },
  {
    id: 'version',
    title: 'Version',
    width: 'minmax(160px, 2fr)',
    narrow: 'detail',
    render: ({ version }) => <code>{visibleText(version)}</code>,
  },
  { id: 'provider', title: 'Provider', width: '112px', render: ({ provider }) => visibleText(provider) },
  {
    id: 'nodes',
    title: 'Nodes',
    width: '88px',
    narrow: 'end',
    isNumeric: true,
    isTitled: true,
    isSortable: true,
    render: ({ name, nodes, version }) => (
      <Link to="/nodes" search={{ q: termText('package', `${name}@${version}`) }}>
        {nodes.toLocaleString()}
      </Link>
    ),
  },
];
