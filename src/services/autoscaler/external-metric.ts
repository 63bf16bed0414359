/**
 * `external.metrics.k8s.io/v1beta1`: the number as the Horizontal Pod Autoscaler asks for it. The API server of the cluster passes its
 * questions on to the primary.
 *
 * @see "Autoscaling on metrics not related to Kubernetes objects" in the Kubernetes documentation
 */

import { json, type Route, route } from '../../platform/http/index.ts';

const group = 'external.metrics.k8s.io/v1beta1';
const demandMetric = 'bunraku_demand_workers';
/** Load alone is told, and the API server of a cluster shows a certificate that is not of Puppet's CA. */
const anyone = { kind: 'anyone' } as const;

export interface ExternalMetricOptions {
  /** `undefined` while it is not known. */
  readonly demandWorkers: () => number | undefined;
  readonly now: () => Date;
}

export function externalMetricRoutes({ demandWorkers, now }: ExternalMetricOptions): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: `/apis/${group}`,
      allow: anyone,
      handle: () =>
        json({
          kind: 'APIResourceList',
          apiVersion: 'v1',
          groupVersion: group,
          resources: [
            {
              name: demandMetric,
              singularName: '',
              namespaced: true,
              kind: 'ExternalMetricValueList',
              verbs: ['get'],
            },
          ],
        }),
    }),
    route({
      method: 'GET',
      path: `/apis/${group}/namespaces/:namespace/:metric`,
      allow: anyone,
      handle({ params }) {
        const demand = params['metric'] === demandMetric ? demandWorkers() : undefined;
        // No value leaves the number of pods as it is; 0 would remove them.
        const items =
          demand === undefined
            ? []
            : [
                {
                  metricName: demandMetric,
                  metricLabels: {},
                  timestamp: now().toISOString(),
                  value: quantity(demand),
                },
              ];
        return json({ kind: 'ExternalMetricValueList', apiVersion: group, metadata: {}, items });
      },
    }),
  ];
}

/** In thousandths: `4500m`. */
function quantity(value: number): string {
  return `${Math.ceil(value * 1000)}m`;
}
