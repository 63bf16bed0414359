/** Packages for which nodes wait, as the facts of a patching module tell. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { PqlButton } from '../../features/command-button.tsx';
import { nodesText } from '../../lib/jobs.ts';
import { type UpdateKind, updatesQuery, waitingQuery } from '../../lib/package-updates.ts';
import { pqlText } from '../../lib/pql.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/states.tsx';
import styles from './page.module.css';
import { type WaitingPackage, waitingPackages } from './queries.ts';

const route = getRouteApi('/packages');

export function Waiting({ kind }: { readonly kind: UpdateKind }): ReactElement {
  const { environment, q = '' } = route.useSearch();
  const packages = useQuery(waitingPackages(kind, environment));
  if (packages.data === undefined) return <Pending query={packages} what="The updates" />;
  if (packages.data.length === 0)
    return (
      <Empty
        title={`No node${environment === undefined ? '' : ` of ${visibleText(environment)}`} reports available updates`}
      >
        Nodes report updates in the facts <code>pe_patch</code> or <code>os_patching</code> of the modules
        with these names.
      </Empty>
    );
  const found = packages.data.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()));
  if (found.length === 0)
    return <Empty title="No package matches">Search for a shorter part of a name.</Empty>;
  return (
    <>
      <p className={styles.summary}>
        <span role="status">
          {found.length === 1 ? '1 package' : `${found.length.toLocaleString()} packages`}
        </span>
        <PqlButton pql={pqlText(updatesQuery(kind, environment))} />
      </p>
      <DataTable
        label="Updates"
        columns={columnsOf(kind, environment)}
        rows={found}
        rowKey={({ name }) => name}
      />
    </>
  );
}

function columnsOf(kind: UpdateKind, environment: string | undefined): readonly Column<WaitingPackage>[] {
  return [
    {
      id: 'name',
      title: 'Name',
      width: 'minmax(180px, 2fr)',
      narrow: 'first',
      render: ({ name }) => (
        <Link from="/packages" to="/packages" search={(before) => ({ ...before, package: name })}>
          {visibleText(name)}
        </Link>
      ),
    },
    {
      id: 'nodes',
      title: 'Nodes',
      width: '112px',
      narrow: 'end',
      isNumeric: true,
      render: ({ name, nodes }) => (
        <Link to="/query" search={{ pql: pqlText(waitingQuery(kind, name, environment)) }}>
          {nodesText(nodes)}
        </Link>
      ),
    },
  ];
}
