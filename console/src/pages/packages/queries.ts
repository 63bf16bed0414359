/** Queries of the page of packages. */

import { infiniteQueryOptions, type UseQueryOptions } from '@tanstack/react-query';
import { type PackagePage, queryPackages } from '../../api/fleet.ts';
import { query } from '../../api/puppetdb.ts';
import { type UpdateKind, updatesQuery } from '../../lib/package-updates.ts';
import { type PqlQuery, quoted } from '../../lib/pql.ts';
import type { PackagesSearch } from './search.ts';

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function packagePages({
  q = '',
  sort = 'name',
}: Pick<PackagesSearch, 'q'> & { readonly sort?: 'name' | 'nodes' | undefined }) {
  return infiniteQueryOptions({
    queryKey: ['console', 'packages', q, sort],
    queryFn: ({ pageParam, signal }) =>
      queryPackages({ q, order_by: sort, ...(pageParam === undefined ? {} : { after: pageParam }) }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: PackagePage) => next ?? undefined,
    placeholderData: (previous) => previous,
  });
}

export interface WaitingPackage {
  readonly name: string;
  readonly nodes: number;
}

/** Packages for which nodes wait, the most frequent first. */
export function waitingPackages(kind: UpdateKind): UseQueryOptions<readonly WaitingPackage[]> {
  return {
    queryKey: ['pdb', 'package-updates', kind],
    async queryFn({ signal }) {
      const rows = await query<{ readonly value: unknown; readonly count: number }>(
        updatesQuery(kind),
        signal,
      );
      return rows
        .map(({ count, value }) => ({ name: String(value), nodes: count }))
        .toSorted((a, b) => b.nodes - a.nodes || (a.name < b.name ? -1 : 1));
    },
  };
}

export interface ManagingPlace {
  readonly file: string | null;
  readonly line: number | null;
  readonly count: number;
}

/** The nodes for which one line of code declares a package. */
export function declaredAt(name: string, file: string, line: number): PqlQuery {
  return {
    entity: 'resources',
    columns: ['certname'],
    conditions: ['type = "Package"', `title = ${quoted(name)}`, `file = ${quoted(file)}`, `line = ${line}`],
  };
}

/** Where code declares a package, with how many nodes it does so for. */
export function managedBy(name: string): UseQueryOptions<readonly ManagingPlace[]> {
  return {
    queryKey: ['pdb', 'package-managed-by', name],
    queryFn: ({ signal }) =>
      query<ManagingPlace>(
        {
          entity: 'resources',
          columns: ['file', 'line', 'count()'],
          conditions: ['type = "Package"', `title = ${quoted(name)}`],
          groupBy: ['file', 'line'],
        },
        signal,
      ),
  };
}
