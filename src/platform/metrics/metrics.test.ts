import { describe, expect, test } from 'vitest';
import { Metrics } from './index.ts';

describe('Metrics', () => {
  test('counts requests by route and status', async () => {
    const metrics = new Metrics();

    metrics.observeRequest({
      method: 'GET',
      route: '/puppet/v3/node/:certname',
      status: 200,
      durationMs: 30,
    });

    const text = await metrics.render();
    expect(text).toContain(
      'bunraku_http_request_duration_seconds_count{method="GET",route="/puppet/v3/node/:certname",status="200"} 1',
    );
    expect(text).toContain('nodejs_eventloop_lag');
  });

  test('keeps two servers of one process apart', async () => {
    const [one, two] = [new Metrics(), new Metrics()];

    one.counter({ name: 'bunraku_things_total', help: 'Things.', labels: ['kind'] }).inc({ kind: 'a' }, 2);
    two.gauge({ name: 'bunraku_depth', help: 'Depth.' }, () => 7);

    expect(await one.render()).toContain('bunraku_things_total{kind="a"} 2');
    expect(await two.render()).not.toContain('bunraku_things_total');
    expect(await two.render()).toContain('bunraku_depth 7');
  });

  test('shows no sample without a known value', async () => {
    const metrics = new Metrics();
    let value: number | undefined;
    metrics.optionalGauge({ name: 'bunraku_share', help: 'Share.' }, () => value);

    expect(await metrics.render()).not.toMatch(/^bunraku_share/m);
    value = 0.5;
    expect(await metrics.render()).toMatch(/^bunraku_share 0.5$/m);
    value = undefined;
    expect(await metrics.render()).not.toMatch(/^bunraku_share/m);
  });

  test('sums routes under the names that Puppet Server has for them', () => {
    const { routes } = new Metrics();
    routes.observe('/puppet/v3/catalog/:certname', 20);
    routes.observe('/puppet/v3/catalog/:certname', 41);
    routes.observe('/puppet/v3/environments', 5);
    routes.observe('/status/v1/simple', 5);

    expect(routes.under('/puppet/')).toEqual([
      { routeId: 'total', count: 3, meanMs: 22, aggregateMs: 66 },
      { routeId: 'puppet-v3-catalog-/*/', count: 2, meanMs: 31, aggregateMs: 61 },
      { routeId: 'puppet-v3-environments', count: 1, meanMs: 5, aggregateMs: 5 },
    ]);
  });
});
