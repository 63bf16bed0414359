/** `/metrics` for Prometheus. */

import { type Route, route } from '../http/index.ts';
import type { Metrics } from './metrics.ts';

export function metricsRoute(metrics: Metrics): Route {
  return route({
    method: 'GET',
    path: '/metrics',
    allow: { kind: 'rules' },
    handle: async () => ({
      status: 200,
      headers: { 'Content-Type': metrics.contentType },
      body: await metrics.render(),
    }),
  });
}
