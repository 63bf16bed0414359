/** `/console-api/v1`: values of facts, sums of events, last runs, packages, and differences of catalogs. */

import { ServiceError } from '../../../lib/service-error.ts';
import { type Access, json, type Route, route, type WantedPermission } from '../../../platform/http/index.ts';
import { consoleBodies } from '../console-bodies.ts';
import type { NodeLists } from '../nodes/node-list.ts';
import { requirePermission } from '../required-permission.ts';
import {
  CatalogDiffQueryWire,
  CatalogDiffWire,
  EventQueryWire,
  type EventSums,
  EventSumsWire,
  FacetQueryWire,
  type Facets,
  FacetsWire,
  type LastRuns,
  LastRunsWire,
  PackagePageWire,
  PackageQueryWire,
} from '../wire.ts';
import { diffCatalogs } from './catalog-diff.ts';
import { sumEvents } from './event-sums.ts';
import { countFacet } from './facets.ts';
import type { FleetSource } from './fleet-source.ts';
import { lastRuns } from './last-runs.ts';
import type { PackageCounts } from './package-counts.ts';
import { SharedAnswers } from './shared-answers.ts';

export interface InspectParts {
  /** On a clock that is never set. */
  readonly steadyMs: () => number;
  readonly lists: Pick<NodeLists, 'match'>;
  readonly source: FleetSource;
  readonly packages: Pick<PackageCounts, 'find'>;
}

const allow: Access = { kind: 'permission', permission: { objectType: 'nodes', action: 'view_data' } };
const compiles: WantedPermission = { objectType: 'puppetserver', action: 'compile_catalogs' };

/** Open pages ask within a second of a change, and again after two. */
const sharedMs = 2000;
/** A count that takes longer is given up. */
const limitMs = 10_000;

export function inspectRoutes(parts: InspectParts): readonly Route[] {
  return [...countRoutes(parts), diffRoute(parts)];
}

function countRoutes({ lists, packages, source, steadyMs }: InspectParts): readonly Route[] {
  const sums = new SharedAnswers<EventSums>({ freshMs: sharedMs, steadyMs });
  const last = new SharedAnswers<LastRuns>({ freshMs: sharedMs, steadyMs });
  return [
    route({
      method: 'POST',
      path: '/console-api/v1/facets',
      allow,
      shapes: { body: FacetQueryWire, answer: FacetsWire },
      async handle({ body, signal }) {
        const { field, limit, q } = consoleBodies.decode(FacetQueryWire, await body());
        const request = { field, search: q, limit };
        const { asOfMs, values, ...counts } = await inTime(signal, (limited) =>
          countFacet(lists, source, request, limited),
        );
        return json({
          ...counts,
          values,
          as_of: new Date(asOfMs).toISOString(),
        } satisfies Facets);
      },
    }),
    route({
      method: 'POST',
      path: '/console-api/v1/events/query',
      allow,
      shapes: { body: EventQueryWire, answer: EventSumsWire },
      async handle({ body, signal }) {
        const wire = consoleBodies.decode(EventQueryWire, await body());
        const { by, environment, from, latest, limit, q, status, to } = wire;
        const request = { by, status, from, to, isLatest: latest, environment, search: q, limit };
        const ask = (limited: AbortSignal) => inTime(limited, (within) => sumEvents(source, request, within));
        return json(await sums.find(JSON.stringify(request), signal, ask));
      },
    }),
    route({
      method: 'GET',
      path: '/console-api/v1/overview/last-runs',
      allow,
      shapes: { answer: LastRunsWire },
      async handle({ query, signal }) {
        const environment = query.get('environment') ?? undefined;
        const ask = (limited: AbortSignal) =>
          inTime(limited, (within) => lastRuns(source, environment, within));
        return json(await last.find(environment ?? '', signal, ask));
      },
    }),
    route({
      method: 'POST',
      path: '/console-api/v1/packages/query',
      allow,
      shapes: { body: PackageQueryWire, answer: PackagePageWire },
      async handle({ body }) {
        const wire = consoleBodies.decode(PackageQueryWire, await body());
        const { after, environment, limit, name, order_by: orderBy, q: search } = wire;
        return json(await packages.find({ search, name, environment, orderBy, limit, after }));
      },
    }),
  ];
}

function diffRoute({ source }: InspectParts): Route {
  return route({
    method: 'POST',
    path: '/console-api/v1/catalogs/diff',
    allow,
    shapes: { body: CatalogDiffQueryWire, answer: CatalogDiffWire },
    async handle({ body, identity, signal }) {
      const { left, right } = consoleBodies.decode(CatalogDiffQueryWire, await body());
      if (left.source === 'compile' || right.source === 'compile') requirePermission(identity, compiles);
      const [before, after] = [left, right].map((side) => ({ environment: undefined, ...side }));
      if (before === undefined || after === undefined) throw new Error('a comparison has two sides');
      return json(await diffCatalogs(source, before, after, signal));
    },
  });
}

/** Ends what takes too long, so that it does not go on after the client has left. */
async function inTime<T>(signal: AbortSignal, work: (limited: AbortSignal) => Promise<T>): Promise<T> {
  // Not `AbortSignal.timeout`: it cannot be cancelled, and creates an error ten seconds after each finished request.
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), limitMs);
  try {
    return await work(AbortSignal.any([signal, late.signal]));
  } catch (error) {
    if (!late.signal.aborted) throw error;
    throw new ServiceError('unavailable', `This took longer than ${limitMs / 1000} seconds; ask for less`, {
      kind: 'bunraku.console/too-slow',
    });
  } finally {
    clearTimeout(timer);
  }
}
