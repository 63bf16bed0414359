/** The facts of all nodes: their names, and of one of them the values with how many nodes have each. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactElement, useCallback } from 'react';
import { PageHeader } from '../../features/page-header.tsx';
import { QuickLink } from '../../features/quick-link.tsx';
import { visibleText } from '../../lib/visible-text.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty, Failure, LoadingRows } from '../../ui/states.tsx';
import styles from './page.module.css';
import { factKeys, factNames } from './queries.ts';
import type { FactsSearch } from './search.ts';
import { Values } from './values.tsx';

const route = getRouteApi('/facts');

export function FactsPage(): ReactElement {
  const { path } = route.useSearch();
  return (
    <>
      <PageHeader
        title={path === undefined ? 'Facts' : `Fact ${visibleText(path)}`}
        {...(path === undefined
          ? {}
          : {
              above: (
                <Link from="/facts" to="/facts" search={(before) => ({ find: before.find })}>
                  Facts
                </Link>
              ),
            })}
      />
      <div className={`${styles.page} ${path === undefined ? '' : styles.chosen}`}>
        <Names />
        <div className={styles.values}>
          {path === undefined ? (
            <Empty title="Choose a fact">Its values are shown here, with the number of nodes for each.</Empty>
          ) : (
            <Values path={path} />
          )}
        </div>
      </div>
    </>
  );
}

function Names(): ReactElement {
  const address = route.useSearch();
  const { find = '', path } = address;
  const navigate = route.useNavigate();
  const names = useQuery(factNames());
  const search = useCallback(
    (text: string) =>
      void navigate({ search: (before) => ({ ...before, find: text.trim() || undefined }), replace: true }),
    [navigate],
  );
  const wanted = find.toLowerCase();
  const found = names.data?.filter((name) => name.toLowerCase().includes(wanted));
  return (
    <nav className={styles.names} aria-label="Names of facts">
      <SearchField label="Search facts" value={find} placeholder="Part of a name" onChange={search} />
      {found === undefined ? (
        <Pending query={names} />
      ) : names.data?.length === 0 ? (
        <Empty title="No facts yet">Agents send their facts with each run.</Empty>
      ) : found.length === 0 ? (
        <Empty title="No fact matches">Search for a shorter part of a name.</Empty>
      ) : (
        <ul>
          {found.map((name) => (
            <li key={name}>
              <NameLink path={name} title={name} isCurrent={path === name} search={address} />
              {path?.split('.')[0] === name ? (
                <Keys name={name} current={path} search={address} />
              ) : undefined}
            </li>
          ))}
        </ul>
      )}
    </nav>
  );
}

interface KeysProps {
  readonly name: string;
  readonly current: string;
  /** Of the page. */
  readonly search: FactsSearch;
}

/** The keys within the fact that is chosen, as a tree. */
function Keys({ current, name, search }: KeysProps): ReactElement {
  const keys = useQuery(factKeys(name));
  const below = (keys.data ?? []).filter(({ depth }) => depth > 0);
  return (
    <ul>
      {below.map(({ depth, isValue, path }) => (
        <li key={path} style={{ paddingInlineStart: `${depth * 12}px` }}>
          {isValue ? (
            <NameLink path={path} title={lastKey(path)} isCurrent={path === current} search={search} />
          ) : (
            <span className={styles.branch}>{visibleText(lastKey(path))}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

interface NameLinkProps {
  readonly path: string;
  readonly title: string;
  readonly isCurrent: boolean;
  /** Of the page. */
  readonly search: FactsSearch;
}

function NameLink({ isCurrent, path, search, title }: NameLinkProps): ReactElement {
  return (
    <QuickLink
      link={{ to: '/facts', search: { ...search, path }, resetScroll: false }}
      className={`${styles.name} ${isCurrent ? styles.current : ''}`}
      current={isCurrent ? 'true' : undefined}
    >
      {visibleText(title)}
    </QuickLink>
  );
}

function lastKey(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

interface PendingProps {
  readonly query: { readonly isError: boolean; readonly error: unknown; readonly refetch: () => unknown };
}

function Pending({ query }: PendingProps): ReactElement {
  if (query.isError)
    return <Failure title="The facts can’t be shown" error={query.error} onRetry={() => query.refetch()} />;
  return <LoadingRows label="The facts are loading" rows={8} />;
}
