/** The values of one fact, the most frequent first. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useCallback } from 'react';
import { ApiError } from '../../api/client.ts';
import type { Facets } from '../../api/fleet.ts';
import { AsOf } from '../../features/as-of.tsx';
import { PqlButton } from '../../features/command-button.tsx';
import { ExportButtons } from '../../features/export-buttons.tsx';
import { UseInRule } from '../../features/use-in-rule.tsx';
import { type FactPath, filterField, isPlainPath } from '../../lib/fact-paths.ts';
import { termText, withinEnvironment } from '../../lib/filter-terms.ts';
import { nodesText } from '../../lib/jobs.ts';
import { valueText, visibleText } from '../../lib/visible-text.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty, LoadingRows } from '../../ui/states.tsx';
import styles from './page.module.css';
import { factKeys, factValues } from './queries.ts';

const route = getRouteApi('/facts');

export function Values({ path }: { readonly path: string }): ReactElement {
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const filter = useCallback(
    (text: string) =>
      void navigate({ search: (before) => ({ ...before, q: text.trim() || undefined }), replace: true }),
    [navigate],
  );
  const keys = useQuery(factKeys(path.split('.')[0] ?? ''));
  if (!isPlainPath(path)) return <Empty title="Not the path of a fact">Choose one from the list.</Empty>;
  if (keys.data === undefined && !keys.isError)
    return <LoadingRows label="The parts of the fact are loading" />;
  if (keys.data?.find((each) => each.path === path)?.isValue === false)
    return <Parts below={keys.data.filter((each) => each.isValue && each.path.startsWith(`${path}.`))} />;
  return (
    <>
      <div className={styles.filter}>
        <SearchField label="Filter of nodes" value={q} placeholder="web status:failed" onChange={filter} />
        <CopyButton text={path} label="Copy path" isLabelled />
      </div>
      <Counts path={path} q={q} />
    </>
  );
}

function Parts({ below }: { readonly below: readonly FactPath[] }): ReactElement {
  return (
    <Empty title="This fact is structured">
      Choose one of its parts:
      <ul>
        {below.map(({ path }) => (
          <li key={path}>
            <Link from="/facts" to="/facts" search={(before) => ({ ...before, path })}>
              {visibleText(path)}
            </Link>
          </li>
        ))}
      </ul>
    </Empty>
  );
}

type Counted = Facets['values'][number];

function Counts({ path, q }: { readonly path: string; readonly q: string }): ReactElement {
  const { environment } = route.useSearch();
  const counted = withinEnvironment(q, environment);
  const values = useQuery(factValues(path, counted));
  if (values.error instanceof ApiError && values.error.kind === 'bunraku.console/bad-term')
    return <Empty title="Unknown term in the filter">{values.error.message}</Empty>;
  if (values.data === undefined) return <Pending query={values} what="The values" />;
  const { distinct, pql, total, values: rows, without } = values.data;
  return (
    <>
      <p className={styles.summary}>
        <span role="status">
          {distinct === 1 ? '1 value' : `${distinct.toLocaleString()} values`} on {nodesText(total - without)}
          {without === 0 ? '' : `; ${nodesText(without)} without it`}
          {distinct > rows.length ? `; the ${rows.length} most frequent are shown` : ''}
        </span>
        <PqlButton pql={pql} />
        {rows.length === 0 ? undefined : (
          <ExportButtons list={{ list: 'facts', field: filterField(path), q: counted }} />
        )}
        <AsOf query={values} />
      </p>
      {rows.length === 0 ? (
        <NoValues q={counted} />
      ) : (
        <DataTable
          label={`Values of ${path}`}
          columns={columnsOf(path, q, total)}
          rows={rows}
          rowKey={({ value }) => JSON.stringify(value)}
        />
      )}
    </>
  );
}

function NoValues({ q }: { readonly q: string }): ReactElement {
  if (q !== '')
    return (
      <Empty title="None of these nodes has this fact">
        Remove a term of the filter, or choose all environments.
      </Empty>
    );
  return <Empty title="No node has this fact" />;
}

function columnsOf(path: string, q: string, total: number): readonly Column<Counted>[] {
  return [
    {
      id: 'value',
      title: 'Value',
      width: 'minmax(200px, 3fr)',
      narrow: 'first',
      render: (row) => (
        <ValueLink row={row} path={path} q={q}>
          <code>{valueText(row.value)}</code>
        </ValueLink>
      ),
    },
    {
      id: 'share',
      title: 'Share',
      width: 'minmax(80px, 1fr)',
      render: ({ count }) => (
        <span className={styles.share} aria-hidden>
          <span style={{ width: `${Math.max(1, (100 * count) / Math.max(total, 1))}%` }} />
        </span>
      ),
    },
    {
      id: 'rule',
      title: 'Rule',
      width: '112px',
      narrow: 'detail',
      render: ({ value }) => <UseInRule fact={path} value={value} />,
    },
    {
      id: 'nodes',
      title: 'Nodes',
      width: '88px',
      narrow: 'end',
      isNumeric: true,
      isTitled: true,
      render: (row) => (
        <ValueLink row={row} path={path} q={q}>
          {row.count.toLocaleString()}
        </ValueLink>
      ),
    },
  ];
}

interface ValueLinkProps {
  readonly row: Counted;
  readonly path: string;
  readonly q: string;
  readonly children: ReactNode;
}

const longest = 200;

/** Leads to the nodes where a filter can name the value: texts that are not too long, numbers and booleans. */
function ValueLink({ children, path, q, row: { value } }: ValueLinkProps): ReactElement {
  if (typeof value === 'object' || String(value).length > longest) return <>{children}</>;
  const term = termText(filterField(path), String(value));
  return (
    <Link to="/nodes" search={{ q: q === '' ? term : `${term} ${q}` }}>
      {children}
    </Link>
  );
}
