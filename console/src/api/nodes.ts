/** The index of nodes: lists that the server searches, sorts and cuts into pages, and the counts of all. */

import type { LastRuns, NodePage, NodeQuery, Overview, Runs } from '../../../src/services/console/wire.ts';
import { get, post } from './client.ts';

export type { LastRuns, NodePage, NodeQuery, Overview, Runs } from '../../../src/services/console/wire.ts';

export type ListedNode = NodePage['rows'][number];
export type StatusCounts = Overview['counts'];

/** @throws ApiError `bunraku.console/bad-term` naming the term of the filter that says nothing */
export async function queryNodes(query: NodeQuery, signal: AbortSignal): Promise<NodePage> {
  const page = await post<NodePage>('/console-api/v1/nodes/query', query, signal);
  if (page === undefined) throw new Error('the list of nodes is empty');
  return page;
}

export async function readOverview(environment: string | undefined, signal: AbortSignal): Promise<Overview> {
  return await get('/console-api/v1/overview', { environment }, signal);
}

/** How the runs of the last hours ended, by quarters of an hour. */
export async function readRuns(environment: string | undefined, signal: AbortSignal): Promise<Runs> {
  return await get('/console-api/v1/overview/runs', { environment }, signal);
}

/** The last runs that failed or changed something, the latest first. @param environment - all when absent */
export async function readLastRuns(environment: string | undefined, signal: AbortSignal): Promise<LastRuns> {
  return await get('/console-api/v1/overview/last-runs', { environment }, signal);
}
