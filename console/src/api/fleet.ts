/** Counts and comparisons over all nodes: values of facts, events, packages, catalogs. */

import type {
  CatalogDiff,
  CatalogDiffQuery,
  EventQuery,
  EventSums,
  FacetQuery,
  Facets,
  PackagePage,
  PackageQuery,
} from '../../../src/services/console/wire.ts';
import { post } from './client.ts';

export type {
  CatalogDiff,
  EventQuery,
  EventSums,
  Facets,
  PackagePage,
  PackageQuery,
} from '../../../src/services/console/wire.ts';

export async function countValues(query: FacetQuery, signal: AbortSignal): Promise<Facets> {
  return await ask('facets', query, signal);
}

export async function sumEvents(query: EventQuery, signal: AbortSignal): Promise<EventSums> {
  return await ask('events/query', query, signal);
}

export async function queryPackages(query: PackageQuery, signal: AbortSignal): Promise<PackagePage> {
  return await ask('packages/query', query, signal);
}

/** @throws ApiError 404 for a node without a catalog, 500 in Puppet's words where one does not compile */
export async function diffCatalogs(query: CatalogDiffQuery, signal: AbortSignal): Promise<CatalogDiff> {
  return await ask('catalogs/diff', query, signal);
}

async function ask<T>(name: string, query: object, signal: AbortSignal): Promise<T> {
  const answer = await post<T>(`/console-api/v1/${name}`, query, signal);
  if (answer === undefined) throw new Error('the server has answered nothing');
  return answer;
}
