/** One package: its versions, and the code that manages it. */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { PqlButton } from '../../features/command-button.tsx';
import { PageHeader } from '../../features/page-header.tsx';
import { termText } from '../../lib/filter-terms.ts';
import { nodesText } from '../../lib/jobs.ts';
import { pqlText, quoted } from '../../lib/pql.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Empty, Failure, LoadingRows } from '../../ui/states.tsx';
import styles from './page.module.css';
import { declaredAt, managedBy, packagePages } from './queries.ts';

export function SinglePackage({ name }: { readonly name: string }): ReactElement {
  const query = {
    entity: 'package_inventory',
    columns: ['certname', 'version', 'provider'],
    conditions: [`package_name = ${quoted(name)}`],
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
        <Versions name={name} />
        <ManagedBy name={name} />
      </div>
    </>
  );
}

function Versions({ name }: { readonly name: string }): ReactElement {
  const pages = useInfiniteQuery(packagePages({ q: name }));
  const first = pages.data?.pages[0];
  const versions = first?.rows.filter((row) => row.name === name);
  return (
    <section aria-labelledby="versions">
      <h2 id="versions">Versions</h2>
      {versions === undefined ? (
        <Pending what="The versions" query={pages} />
      ) : versions.length === 0 ? (
        <Empty title="No node has this package" />
      ) : (
        <ul className={styles.rows}>
          {versions.map(({ nodes, provider, version }) => (
            <li key={`${version}\0${provider}`} className={styles.row}>
              <code>{visibleText(version)}</code>
              <span className={styles.provider}>{visibleText(provider)}</span>
              <Link to="/nodes" search={{ q: termText('package', `${name}@${version}`) }}>
                {nodesText(nodes)}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function ManagedBy({ name }: { readonly name: string }): ReactElement {
  const places = useQuery(managedBy(name));
  return (
    <section aria-labelledby="managed">
      <h2 id="managed">Managed by</h2>
      {places.data === undefined ? (
        <Pending what="The code" query={places} />
      ) : places.data.length === 0 ? (
        <Empty title="No catalog has a resource for it">It was installed in another way.</Empty>
      ) : (
        <ul className={styles.rows}>
          {places.data.map(({ count, file, line }) => (
            <li key={`${file}:${line}`} className={styles.row}>
              <code>{file === null ? 'no file' : visibleText(line === null ? file : `${file}:${line}`)}</code>
              {file === null || line === null ? (
                <span>{nodesText(count)}</span>
              ) : (
                <Link to="/query" search={{ pql: pqlText(declaredAt(name, file, line)) }}>
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
