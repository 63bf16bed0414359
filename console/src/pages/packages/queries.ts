/** Queries of the page of packages. */

import { infiniteQueryOptions, type UseQueryOptions } from '@tanstack/react-query';
import { type PackagePage, type PackageQuery, queryPackages } from '../../api/fleet.ts';
import { query } from '../../api/puppetdb.ts';
import { type UpdateKind, updatesQuery } from '../../lib/package-updates.ts';
import { ofNodesIn, type PqlQuery, quoted } from '../../lib/pql.ts';
import type { PackagesSearch } from './search.ts';

/** What the list asks for, and its export. */
export function listedPackages({ environment, q, sort }: FleetPackages) {
  return {
    order_by: sort ?? 'name',
    ...(q === undefined ? {} : { q }),
    ...(environment === undefined ? {} : { environment }),
  } satisfies PackageQuery;
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function packagePages(asked: PackageQuery) {
  return infiniteQueryOptions({
    queryKey: ['console', 'packages', asked],
    queryFn: ({ pageParam, signal }) =>
      queryPackages({ ...asked, ...(pageParam === undefined ? {} : { after: pageParam }) }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: PackagePage) => next ?? undefined,
    placeholderData: (previous) => previous,
  });
}

interface FleetPackages extends Pick<PackagesSearch, 'q' | 'sort'> {
  readonly environment?: string | undefined;
}

export interface WaitingPackage {
  readonly name: string;
  readonly nodes: number;
}

/** Packages for which nodes wait, the most frequent first. */
export function waitingPackages(
  kind: UpdateKind,
  environment: string | undefined,
): UseQueryOptions<readonly WaitingPackage[]> {
  return {
    queryKey: ['pdb', 'package-updates', kind, environment],
    async queryFn({ signal }) {
      const rows = await query<{ readonly value: unknown; readonly count: number }>(
        updatesQuery(kind, environment),
        signal,
      );
      return rows
        .map(({ count, value }) => ({ name: String(value), nodes: count }))
        .toSorted((a, b) => b.nodes - a.nodes || (a.name < b.name ? -1 : 1));
    },
  };
}

/** A package on all nodes, or on those of one environment. */
export interface NamedPackage {
  readonly name: string;
  readonly environment: string | undefined;
}

export interface ManagingPlace {
  readonly file: string | null;
  readonly line: number | null;
  readonly count: number;
}

/** The nodes for which one line of code declares a package. */
export function declaredAt(
  { environment, name }: NamedPackage,
  { file, line }: { readonly file: string; readonly line: number },
): PqlQuery {
  return {
    entity: 'resources',
    columns: ['certname'],
    conditions: [
      'type = "Package"',
      `title = ${quoted(name)}`,
      `file = ${quoted(file)}`,
      `line = ${line}`,
      ...ofNodesIn(environment),
    ],
  };
}

/** Where code declares a package, with how many nodes it does so for. */
export function managedBy({ environment, name }: NamedPackage): UseQueryOptions<readonly ManagingPlace[]> {
  return {
    queryKey: ['pdb', 'package-managed-by', name, environment],
    queryFn: ({ signal }) =>
      query<ManagingPlace>(
        {
          entity: 'resources',
          columns: ['file', 'line', 'count()'],
          conditions: ['type = "Package"', `title = ${quoted(name)}`, ...ofNodesIn(environment)],
          groupBy: ['file', 'line'],
        },
        signal,
      ),
  };
}
