import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../lib/service-error.ts';
import type { HttpRequest, HttpResponse } from '../../platform/http/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { processStatus, type ServiceState, StatusRegistry, statusRoutes } from './index.ts';
import { statusAnswer } from './routes.ts';

interface Answer {
  readonly status: number;
  readonly type: unknown;
  readonly body: string;
}

function registryOf(states: Readonly<Record<string, ServiceState>>): StatusRegistry {
  const registry = new StatusRegistry(silentLogger);
  for (const [name, state] of Object.entries(states)) {
    registry.register({ names: [name], version: '1.2.3', read: () => ({ state }) });
  }
  return registry;
}

async function get(registry: StatusRegistry, path: string, search = ''): Promise<Answer> {
  const [, , , kind, service] = path.split('/');
  const pattern = `/status/v1/${kind}${service === undefined ? '' : '/:service'}`;
  const found = statusRoutes(registry).find((candidate) => candidate.path === pattern);
  if (found === undefined) throw new Error(`no route ${pattern}`);
  const params = service === undefined ? {} : { service };
  const request = { params, query: new URLSearchParams(search) } as unknown as HttpRequest;
  const response: HttpResponse = await found.handle(request);
  return { status: response.status, type: response.headers?.['content-type'], body: String(response.body) };
}

describe('/status/v1/simple', () => {
  test.each<[Record<string, ServiceState>, number, string]>([
    [{ a: 'running', b: 'running' }, 200, 'running'],
    [{ a: 'running', b: 'starting' }, 503, 'starting'],
    [{ a: 'starting', b: 'stopping' }, 503, 'stopping'],
    [{ a: 'stopping', b: 'unknown' }, 503, 'unknown'],
    [{ a: 'unknown', b: 'error' }, 503, 'error'],
  ])('of %j is %i %s', async (states, status, body) => {
    const answer = await get(registryOf(states), '/status/v1/simple');

    expect(answer).toEqual({ status, type: 'text/plain;charset=utf-8', body });
  });

  test('says 404 while it stops, to load balancers that ask for that', async () => {
    const ask = (states: Record<string, ServiceState>) =>
      get(registryOf(states), '/status/v1/simple', 'while_stopping=404');

    expect(await ask({ a: 'running', b: 'stopping' })).toMatchObject({ status: 404, body: 'stopping' });
    expect(await ask({ a: 'running' })).toMatchObject({ status: 200, body: 'running' });
    expect(await ask({ a: 'error', b: 'stopping' })).toMatchObject({ status: 503, body: 'error' });
    expect(await ask({ a: 'starting' })).toMatchObject({ status: 503, body: 'starting' });
  });

  test('tells of one service, under each of its names', async () => {
    const registry = registryOf({ ca: 'error' });
    registry.register({ names: ['master', 'server'], version: '1', read: () => ({ state: 'running' }) });

    expect(await get(registry, '/status/v1/simple/server')).toMatchObject({ status: 200, body: 'running' });
    expect(await get(registry, '/status/v1/simple/master')).toMatchObject({ status: 200, body: 'running' });
    expect(await get(registry, '/status/v1/simple/ca')).toMatchObject({ status: 503, body: 'error' });
    expect(await get(registry, '/status/v1/simple/nosuch')).toMatchObject({
      status: 404,
      body: 'not found: nosuch',
    });
  });
});

describe('/status/v1/services', () => {
  test('has the shape of the reference', async () => {
    const answer = await get(registryOf({ ca: 'running' }), '/status/v1/services', 'level=debug');

    expect(answer).toEqual({
      status: 200,
      type: 'application/json;charset=utf-8',
      body: '{"ca":{"service_version":"1.2.3","service_status_version":1,"detail_level":"debug","state":"running","status":{},"active_alerts":[]}}',
    });
  });

  test('asks a provider with several names once', async () => {
    let asked = 0;
    const registry = new StatusRegistry(silentLogger);
    registry.register({
      names: ['master', 'server'],
      version: '1',
      read: () => ({ state: 'running', status: ++asked }),
    });

    const { body } = await get(registry, '/status/v1/services');

    expect(Object.keys(JSON.parse(body) as object)).toEqual(['master', 'server']);
    expect(asked).toBe(1);
  });

  test('of one service names it, and does not know others', async () => {
    const registry = registryOf({ ca: 'starting' });

    const known = await get(registry, '/status/v1/services/ca');
    const unknown = await get(registry, '/status/v1/services/nosuch');

    expect(known.status).toBe(503);
    expect(JSON.parse(known.body)).toMatchObject({
      state: 'starting',
      detail_level: 'info',
      service_name: 'ca',
    });
    expect(unknown).toMatchObject({
      status: 404,
      body: '{"kind":"service-not-found","msg":"No status information found for service nosuch"}',
    });
  });

  test('calls a provider that fails or takes too long unknown', async () => {
    const registry = new StatusRegistry(silentLogger);
    registry.register({ names: ['slow'], version: '1', read: () => new Promise(() => undefined) });
    registry.register({
      names: ['broken'],
      version: '1',
      read: () => {
        throw new Error('no');
      },
    });

    const answer = await get(registry, '/status/v1/services', 'timeout=1');

    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.body)).toMatchObject({
      slow: { state: 'unknown', status: 'Status check timed out after 1 seconds' },
      broken: { state: 'unknown', status: 'Status check for broken threw an exception: Error: no' },
    });
  });

  test.each([
    ['level=loud', 'Invalid level: :loud'],
    ['timeout=x', 'Invalid timeout. Should be an integer but was x'],
    ['timeout=0', 'Invalid timeout. Timeout must be greater than zero but was 0'],
    ['service_status_version=9', 'No status function with version 9 found for service ca'],
  ])('refuses %s', async (search, message) => {
    const attempt = get(registryOf({ ca: 'running' }), '/status/v1/services/ca', search);

    await expect(attempt).rejects.toThrowError(ServiceError);
    await expect(attempt).rejects.toThrowError(message);
  });
});

test.each([
  ['/status/v1/simple', 200, 'text/plain;charset=utf-8'],
  ['/status/v1/services', 200, 'application/json;charset=utf-8'],
  ['/status/v1/services/nope', 404, 'application/json;charset=utf-8'],
  ['/status/v1/services/ca?level=loud', 400, 'application/json;charset=utf-8'],
  ['/elsewhere', 404, 'text/plain;charset=utf-8'],
])('another port answers %s as well, and says as what', async (url, status, contentType) => {
  const [path = '', search = ''] = url.split('?');

  const answer = await statusAnswer(registryOf({ ca: 'running' }), path, new URLSearchParams(search));

  expect(answer).toMatchObject({ status, contentType });
});

describe('processStatus', () => {
  test('has memory, time and files where tools look for them', async () => {
    const registry = new StatusRegistry(silentLogger);
    registry.register(processStatus({ version: '1', nowMs: () => 1_000_000 }));

    const { body } = await get(registry, '/status/v1/services/status-service', 'level=debug');

    const { status } = JSON.parse(body) as {
      status: { experimental: Record<string, Record<string, unknown>> };
    };
    const metrics = status.experimental['jvm-metrics'] ?? {};
    expect(metrics['heap-memory']).toMatchObject({ used: expect.any(Number) as number });
    expect(Object.keys(metrics)).toEqual(
      expect.arrayContaining(['cpu-usage', 'up-time-ms', 'file-descriptors']),
    );
  });
});
