/** The last catalog of a node: its resources, and for one of them everything that the catalog says. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactElement, useCallback, useMemo } from 'react';
import type { CatalogDocument, ResourceRow } from '../../api/puppetdb.ts';
import { QuickLink } from '../../features/quick-link.tsx';
import { placeInModule } from '../../lib/code-path.ts';
import { commitOf } from '../../lib/code-version.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Age } from '../../ui/age.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty } from '../../ui/states.tsx';
import styles from './page.module.css';
import { nodeCatalog } from './queries.ts';
import { Resource } from './resource.tsx';
import type { NodeSearch } from './search.ts';

const route = getRouteApi('/nodes/$certname');

export function Catalog({ certname }: { readonly certname: string }): ReactElement {
  const catalog = useQuery(nodeCatalog(certname));
  if (catalog.data === undefined) return <Pending query={catalog} what="The catalog" />;
  if (catalog.data === null)
    return (
      <Empty title="No catalog yet">
        A server compiles one for each run of the agent. When that fails, the report of the run says why.
      </Empty>
    );
  return <CatalogView catalog={catalog.data} />;
}

function CatalogView({ catalog }: { readonly catalog: CatalogDocument }): ReactElement {
  const address = route.useSearch();
  const { find = '', resource: chosen } = address;
  const navigate = route.useNavigate();
  const search = useCallback(
    (text: string) =>
      void navigate({ search: (before) => ({ ...before, find: text.trim() || undefined }), replace: true }),
    [navigate],
  );
  const resources = useMemo(() => sorted(catalog.resources.data ?? []), [catalog]);
  const found = useMemo(() => resources.filter((each) => matches(each, find)), [resources, find]);
  const shown = resources.find((each) => referenceOf(each) === chosen);
  return (
    <div className={styles.sections}>
      <FactList
        facts={[
          { name: 'Compiled', value: <Age time={catalog.producer_timestamp} /> },
          { name: 'Environment', value: catalog.environment ?? 'none' },
          { name: 'Configuration version', value: visibleText(catalog.version), isCode: true },
          ...(catalog.code_id === null
            ? []
            : [{ name: 'Code version', value: commitOf(catalog.code_id), isCode: true }]),
          { name: 'Resources', value: resources.length.toLocaleString() },
        ]}
      />
      <div className={styles.list}>
        <div className={styles.toolbar}>
          <SearchField
            label="Search resources"
            value={find}
            placeholder="Type, title, tag or file"
            onChange={search}
          />
          <Link to="/compare" search={{ left: catalog.certname }}>
            Compare with
          </Link>
        </div>
        <div className={shown === undefined ? undefined : styles.split}>
          {shown === undefined ? undefined : (
            <Resource certname={catalog.certname} resource={shown} edges={catalog.edges.data ?? []} />
          )}
          {found.length === 0 ? (
            <Empty title="No resource matches">Search for part of a type, title, tag or file.</Empty>
          ) : (
            <DataTable
              label="Resources"
              columns={
                shown === undefined
                  ? columnsOf(catalog.certname, address)
                  : columnsOf(catalog.certname, address).slice(0, 1)
              }
              rows={found}
              rowKey={referenceOf}
            />
          )}
        </div>
      </div>
    </div>
  );
}

/** @param address - the search of the page */
function columnsOf(certname: string, address: NodeSearch): readonly Column<ResourceRow>[] {
  return [
    {
      id: 'resource',
      title: 'Resource',
      width: 'minmax(220px, 3fr)',
      narrow: 'first',
      render: (row) => (
        <QuickLink
          link={{
            to: '/nodes/$certname',
            params: { certname },
            search: { ...address, resource: referenceOf(row) },
            resetScroll: false,
          }}
        >
          <code>{visibleText(referenceOf(row))}</code>
        </QuickLink>
      ),
    },
    {
      id: 'parameters',
      title: 'Parameters',
      width: '96px',
      isNumeric: true,
      render: ({ parameters }) => Object.keys(parameters).length,
    },
    {
      id: 'file',
      title: 'Declared in',
      width: 'minmax(180px, 2fr)',
      narrow: 'detail',
      render: ({ file, line }) =>
        file === null ? '' : visibleText(`${placeInModule(file)}${line === null ? '' : `:${line}`}`),
    },
  ];
}

function referenceOf({ title, type }: ResourceRow): string {
  return `${type}[${title}]`;
}

function matches(resource: ResourceRow, find: string): boolean {
  const wanted = find.trim().toLowerCase();
  if (wanted === '') return true;
  const texts = [referenceOf(resource), resource.file ?? '', ...resource.tags];
  return texts.some((text) => text.toLowerCase().includes(wanted));
}

function sorted(resources: readonly ResourceRow[]): readonly ResourceRow[] {
  return resources.toSorted((a, b) => (referenceOf(a) < referenceOf(b) ? -1 : 1));
}
