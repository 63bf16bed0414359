/** `/autoscaler/v1/*` on the primary. */

import { ServiceError } from '../../lib/service-error.ts';
import { countParameter, json, operators, type Route, route } from '../../platform/http/index.ts';
import {
  ScalingHistoryWire,
  ScalingMetricWire,
  ScalingSettingsWire,
  ScalingStatusWire,
} from './answers/wire.ts';
import type { Autoscaler } from './autoscaler.ts';
import {
  decodeSettings,
  renderAssessment,
  renderDemand,
  renderEntry,
  renderSettings,
  SettingsWire,
} from './wire.ts';

const prefix = '/autoscaler/v1';
const editors = { kind: 'any-of', of: [operators, permission('edit')] } as const;
const viewers = { kind: 'any-of', of: [operators, permission('view'), permission('edit')] } as const;
const usualEntries = 50;
const mostEntries = 1000;
const maxSettingsBytes = 64 * 1024;

export interface AutoscalerRouteOptions {
  readonly autoscaler: Autoscaler;
  readonly now: () => Date;
  readonly nowMs: () => number;
}

export function autoscalerRoutes({ autoscaler, now, nowMs }: AutoscalerRouteOptions): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: `${prefix}/status`,
      allow: viewers,
      shapes: { answer: ScalingStatusWire },
      handle: () => json(renderAssessment(autoscaler.assess(), now(), nowMs())),
    }),
    route({
      method: 'GET',
      path: `${prefix}/metric`,
      allow: viewers,
      shapes: { answer: ScalingMetricWire },
      handle: () => json(metricOf(autoscaler)),
    }),
    route({
      method: 'GET',
      path: `${prefix}/history`,
      allow: viewers,
      shapes: { answer: ScalingHistoryWire },
      async handle({ query }) {
        const limit = Math.min(count(query, 'limit') ?? usualEntries, mostEntries);
        const before = count(query, 'before') ?? Number.MAX_SAFE_INTEGER;
        return json((await autoscaler.history(limit, before)).map(renderEntry));
      },
    }),
    route({
      method: 'PUT',
      path: `${prefix}/settings`,
      allow: editors,
      shapes: { body: SettingsWire, answer: ScalingSettingsWire },
      maxBodyBytes: maxSettingsBytes,
      async handle({ body, identity }) {
        const wanted = decodeSettings(await body(), autoscaler.settings);
        return json(renderSettings(await autoscaler.change(wanted, identity)));
      },
    }),
    route({
      method: 'POST',
      path: `${prefix}/preview`,
      allow: viewers,
      shapes: { body: SettingsWire, answer: ScalingStatusWire },
      maxBodyBytes: maxSettingsBytes,
      async handle({ body }) {
        const wanted = decodeSettings(await body(), autoscaler.settings);
        return json(
          renderAssessment(autoscaler.assess({ ...autoscaler.settings, ...wanted }), now(), nowMs()),
        );
      },
    }),
    pauseRoute(autoscaler, true),
    pauseRoute(autoscaler, false),
  ];
}

function pauseRoute(autoscaler: Autoscaler, isPaused: boolean): Route {
  return route({
    method: 'POST',
    path: `${prefix}/${isPaused ? 'pause' : 'resume'}`,
    allow: editors,
    shapes: { answer: ScalingSettingsWire },
    handle: async ({ identity }) => json(renderSettings(await autoscaler.change({ isPaused }, identity))),
  });
}

/** @throws ServiceError `unavailable`: without a number, platforms keep their servers */
function metricOf(autoscaler: Autoscaler) {
  const demand = autoscaler.metric();
  if (demand === undefined)
    throw new ServiceError(
      'unavailable',
      'The number is not known yet: not all servers have reported their work',
    );
  return renderDemand(demand);
}

function count(query: URLSearchParams, name: string): number | undefined {
  return countParameter(
    query,
    name,
    (value) => new ServiceError('bad-request', `${name} is no number: ${value}`),
  );
}

function permission(action: 'view' | 'edit') {
  return { kind: 'permission', permission: { objectType: 'autoscaler', action } } as const;
}
