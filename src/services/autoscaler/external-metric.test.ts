import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpServer, type HttpServer, TrustedProxies } from '../../platform/http/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { externalMetricRoutes } from './external-metric.ts';

let http: HttpServer;
let url: string;
let demand: number | undefined;

beforeAll(async () => {
  http = createHttpServer({
    routes: externalMetricRoutes({
      demandWorkers: () => demand,
      now: () => new Date('2026-01-01T00:00:00Z'),
    }),
    authorization: { rules: [], allowHeaderCertInfo: false },
    trustedProxies: new TrustedProxies([]),
    isInfrastructure: () => false,
    log: silentLogger,
  });
  url = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}/apis/external.metrics.k8s.io/v1beta1`;
});

afterAll(() => http.drain(0));

const ask = async (path: string): Promise<unknown> => (await fetch(url + path)).json();

test('the metric is listed', async () => {
  expect(await ask('')).toMatchObject({
    groupVersion: 'external.metrics.k8s.io/v1beta1',
    resources: [{ name: 'bunraku_demand_workers', namespaced: true }],
  });
});

test('its value is told in thousandths, and nothing while it is not known or for another metric', async () => {
  const path = '/namespaces/puppet/bunraku_demand_workers';
  const list = {
    kind: 'ExternalMetricValueList',
    apiVersion: 'external.metrics.k8s.io/v1beta1',
    metadata: {},
  };
  expect(await ask(path)).toEqual({ ...list, items: [] });
  demand = 4.5001;

  expect(await ask(path)).toEqual({
    ...list,
    items: [
      {
        metricName: 'bunraku_demand_workers',
        metricLabels: {},
        timestamp: '2026-01-01T00:00:00.000Z',
        value: '4501m',
      },
    ],
  });
  expect(await ask('/namespaces/puppet/other')).toEqual({ ...list, items: [] });
});
