/** The index of nodes: lists that the server searches, sorts and cuts into pages, and the counts of all. */

import type { RunStatus } from '../lib/run-status.ts';
import { get, post } from './client.ts';

export interface ListedNode {
  readonly certname: string;
  readonly status: RunStatus;
  readonly environment: string | null;
  readonly report_time: string | null;
  readonly report_hash: string | null;
  readonly noop: boolean;
  readonly cached_catalog_status: string | null;
  readonly job_id: string | null;
  /** By `fact.PATH`, as asked. */
  readonly facts: Readonly<Record<string, unknown>>;
}

export type StatusCounts = Readonly<Record<RunStatus, number>>;

export interface NodePage {
  readonly rows: readonly ListedNode[];
  /** What the next page begins after; null on the last. */
  readonly next: string | null;
  readonly total: number;
  readonly as_of: string;
  /** The same nodes as a query of PuppetDB. */
  readonly pql: string;
}

export interface NodeQuery {
  readonly q: string;
  /** `fact.PATH` */
  readonly columns?: readonly string[];
  readonly order_by?: { readonly field: string; readonly order: 'asc' | 'desc' };
  readonly limit?: number;
  readonly after?: string;
}

/** @throws ApiError `bunraku.console/bad-term` naming the term of the filter that says nothing */
export async function queryNodes(query: NodeQuery, signal: AbortSignal): Promise<NodePage> {
  const page = await post<NodePage>('/console-api/v1/nodes/query', query, signal);
  if (page === undefined) throw new Error('the list of nodes is empty');
  return page;
}

export interface Overview {
  readonly total: number;
  readonly counts: StatusCounts;
  readonly as_of: string;
}

export async function readOverview(environment: string | undefined, signal: AbortSignal): Promise<Overview> {
  return await get('/console-api/v1/overview', { environment }, signal);
}
