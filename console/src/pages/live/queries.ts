/** Queries of Live Management. */

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { readJobNodes, readReach } from '../../api/jobs.ts';
import { type NodePage, queryNodes } from '../../api/nodes.ts';

/** Nodes by name, as the list of nodes has them. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function selectableNodes(q: string) {
  return infiniteQueryOptions({
    queryKey: ['console', 'nodes', 'names', q],
    queryFn: ({ pageParam, signal }) =>
      queryNodes({ q, ...(pageParam === undefined ? {} : { after: pageParam }) }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: NodePage) => next ?? undefined,
    placeholderData: (previous) => previous,
  });
}

const mostServers = 1000;

/** The servers of the installation by their roles. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function serversByRole() {
  return queryOptions({
    queryKey: ['orchestrator', 'targets', 'infrastructure'],
    queryFn: ({ signal }) => readReach({ order: 'infrastructure', limit: mostServers }, signal),
  });
}

/** All nodes of a job, for its levels. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function levelNodes(id: string) {
  return queryOptions({
    queryKey: ['orchestrator', 'job', id, 'levels'],
    queryFn: ({ signal }) => readJobNodes(id, {}, signal),
  });
}
