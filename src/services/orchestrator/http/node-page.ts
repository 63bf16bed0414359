/** Nodes of a job in the order and in the part that somebody asked for. */

import type { NodeKey, NodeOrderKey, NodePage } from '../job-store.ts';

const keyOf: Readonly<Record<NodeOrderKey, (node: NodeKey) => string | number>> = {
  name: ({ certname }) => certname,
  state: ({ state }) => state,
  start_timestamp: ({ startedAt }) => startedAt?.getTime() ?? 0,
  finish_timestamp: ({ finishedAt }) => finishedAt?.getTime() ?? 0,
  duration: ({ finishedAt, startedAt }) =>
    startedAt === undefined || finishedAt === undefined ? 0 : finishedAt.getTime() - startedAt.getTime(),
};

/** @param nodes - by name, which decides between equals */
export function pageOf(nodes: readonly NodeKey[], page: NodePage): readonly NodeKey[] {
  const { isDescending, limit, offset, orderBy, state } = page;
  const key = keyOf[orderBy];
  const wanted = state === undefined ? nodes : nodes.filter((node) => node.state === state);
  const ordered = wanted.toSorted((one, other) => compare(key(one), key(other)));
  if (isDescending) ordered.reverse();
  return ordered.slice(offset, limit === undefined ? undefined : offset + limit);
}

function compare(one: string | number, other: string | number): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
