/** One package: its versions, and the code that manages it. */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { PqlButton } from '../../features/command-button.tsx';
import { PageHeader } from '../../features/page-header.tsx';
import { termText } from '../../lib/filter-terms.ts';
import { nodesText } from '../../lib/jobs.ts';
import { ofNodesIn, pqlText, quoted } from '../../lib/pql.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Empty, Failure, LoadingRows } from '../../ui/states.tsx';
import styles from './page.module.css';
import { declaredAt, managedBy, type NamedPackage, packagePages } from './queries.ts';

const route = getRouteApi('/packages');

const mostVersions = 500;

export function SinglePackage({ name }: { readonly name: string }): ReactElement {
  const { environment } = route.useSearch();
  const query = {
    entity: 'package_inventory',
    columns: ['certname', 'version', 'provider'],
    conditions: [`package_name = ${quoted(name)}`, ...ofNodesIn(environment)],
  };
  return (
    <>
      <PageHeader
        above={
          <Link from="/packages" to="/packages" search={(before) => ({ ...before, package: undefined })}>
            Packages
          </Link>
        }
        title={`Package ${visibleText(name)}`}
        aside={<PqlButton pql={pqlText(query)} />}
      />
      <div className={styles.sections}>
        <Versions name={name} environment={environment} />
        <ManagedBy name={name} environment={environment} />
      </div>
    </>
  );
}

function Versions({ environment, name }: NamedPackage): ReactElement {
  const asked = { name, limit: mostVersions, ...(environment === undefined ? {} : { environment }) };
  const pages = useInfiniteQuery(packagePages(asked));
  const found = pages.data?.pages[0];
  return (
    <section aria-labelledby="versions">
      <h2 id="versions">Versions</h2>
      {found === undefined ? (
        <Pending what="The versions" query={pages} />
      ) : found.rows.length === 0 ? (
        <Empty
          title={`No node${environment === undefined ? '' : ` of ${visibleText(environment)}`} has this package`}
        />
      ) : (
        <ul className={styles.rows}>
          {found.rows.map(({ nodes, provider, version }) => (
            <li key={`${version}\0${provider}`} className={styles.row}>
              <code>{visibleText(version)}</code>
              <span className={styles.provider}>{visibleText(provider)}</span>
              <Link to="/nodes" search={{ q: termText('package', `${name}@${version}`) }}>
                {nodesText(nodes)}
              </Link>
            </li>
          ))}
          {found.total > found.rows.length ? (
            <li className={styles.row}>
              The first {found.rows.length} of {found.total.toLocaleString()} versions are shown.
            </li>
          ) : undefined}
        </ul>
      )}
    </section>
  );
}

function ManagedBy(named: NamedPackage): ReactElement {
  const places = useQuery(managedBy(named));
  return (
    <section aria-labelledby="managed">
      <h2 id="managed">Managed by</h2>
      {places.data === undefined ? (
        <Pending what="The code" query={places} />
      ) : places.data.length === 0 ? (
        <Empty title="No catalog manages this package" />
      ) : (
        <ul className={styles.rows}>
          {places.data.map(({ count, file, line }) => (
            <li key={`${file}:${line}`} className={styles.row}>
              <code>{file === null ? 'no file' : visibleText(line === null ? file : `${file}:${line}`)}</code>
              {file === null || line === null ? (
                <span>{nodesText(count)}</span>
              ) : (
                <Link to="/query" search={{ pql: pqlText(declaredAt(named, { file, line })) }}>
                  {nodesText(count)}
                </Link>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface PendingProps {
  readonly what: string;
  readonly query: { readonly isError: boolean; readonly error: unknown; readonly refetch: () => unknown };
}

function Pending({ query, what }: PendingProps): ReactElement {
  if (query.isError)
    return <Failure title={`${what} can’t be shown`} error={query.error} onRetry={() => query.refetch()} />;
  return <LoadingRows label={`${what} are loading`} rows={3} />;
}
