/** `/console-api/v1`: the list of nodes, and the counts of the overview. */

import { type Access, json, type Route, route } from '../../../platform/http/index.ts';
import { consoleBodies } from '../console-bodies.ts';
import {
  type NodePage,
  NodePageWire,
  NodeQueryWire,
  type Overview,
  OverviewWire,
  type Runs,
  RunsWire,
} from '../wire.ts';
import type { NodeLists, NodeRow } from './node-list.ts';
import { quarterMs } from './run-counts.ts';

const allow: Access = { kind: 'permission', permission: { objectType: 'nodes', action: 'view_data' } };

export function nodeRoutes(lists: NodeLists): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/console-api/v1/nodes/query',
      allow,
      shapes: { body: NodeQueryWire, answer: NodePageWire },
      async handle({ body, signal }) {
        const wire = consoleBodies.decode(NodeQueryWire, await body());
        const { asOfMs, counts, next, pql, rows, total } = await lists.find(
          {
            search: wire.q,
            orderBy: { field: wire.order_by.field, isDescending: wire.order_by.order === 'desc' },
            limit: wire.limit,
            after: wire.after,
            factPaths: wire.columns.map((column) => column.slice('fact.'.length)),
          },
          signal,
        );
        return json({
          rows: rows.map(renderRow),
          next: next ?? null,
          total,
          counts,
          as_of: new Date(asOfMs).toISOString(),
          pql,
        } satisfies NodePage);
      },
    }),
    route({
      method: 'GET',
      path: '/console-api/v1/overview',
      allow,
      shapes: { answer: OverviewWire },
      async handle({ query }) {
        const { asOfMs, counts } = await lists.counts(query.get('environment') ?? undefined);
        const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
        return json({ total, counts, as_of: new Date(asOfMs).toISOString() } satisfies Overview);
      },
    }),
    route({
      method: 'GET',
      path: '/console-api/v1/overview/runs',
      allow,
      shapes: { answer: RunsWire },
      async handle({ query }) {
        const quarters = await lists.runs(query.get('environment') ?? undefined);
        return json({
          quarters: quarters.map(({ counts, fromMs }) => ({
            from: new Date(fromMs).toISOString(),
            to: new Date(fromMs + quarterMs).toISOString(),
            counts,
          })),
        } satisfies Runs);
      },
    }),
  ];
}

export function renderRow({ entry, facts, status }: NodeRow): NodePage['rows'][number] {
  return {
    certname: entry.certname,
    status,
    environment: entry.environment ?? null,
    report_time: entry.reportTimeMs === undefined ? null : new Date(entry.reportTimeMs).toISOString(),
    report_hash: entry.reportHash ?? null,
    noop: entry.isNoop,
    cached_catalog_status: entry.cachedCatalogStatus ?? null,
    job_id: entry.jobId ?? null,
    facts: Object.fromEntries(Object.entries(facts).map(([path, value]) => [`fact.${path}`, value])),
  };
}
