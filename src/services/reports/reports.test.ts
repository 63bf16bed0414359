import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ServiceError } from '../../lib/service-error.ts';
import type { HttpRequest, HttpResponse } from '../../platform/http/index.ts';
import { type Logger, silentLogger } from '../../platform/log/index.ts';
import { type Database, migrate, openSqliteDatabase } from '../../platform/storage/index.ts';
import {
  logProcessor,
  ReportService,
  type ReportServiceOptions,
  ReportStore,
  reportMigrations,
  reportRoutes,
} from './index.ts';

let directory: string;
let database: Database;
let store: ReportStore;
let now = new Date('2026-11-21T10:00:00.000Z');

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bunraku-reports-'));
  database = await openSqliteDatabase({ path: join(directory, 'database.sqlite') });
  await migrate(database, reportMigrations);
  store = new ReportStore(database, () => now);
});

afterEach(async () => {
  await database.close();
  await rm(directory, { recursive: true, force: true });
});

const minimal = { host: 'a.example', metrics: {}, logs: [], resource_statuses: {} };

async function put(
  body: string,
  options: Partial<ReportServiceOptions> = {},
  headers: Readonly<Record<string, string>> = {},
  target = '/puppet/v3/report/a.example?environment=trace',
): Promise<HttpResponse> {
  const service = new ReportService({
    sink: store,
    reports: ['store'],
    processors: new Map(),
    log: silentLogger,
    ...options,
  });
  const url = new URL(target, 'https://localhost');
  const request: HttpRequest = {
    method: 'PUT',
    path: url.pathname,
    params: { certname: url.pathname.split('/').at(-1) ?? '' },
    query: url.searchParams,
    headers: { accept: 'application/json, text/pson', 'content-type': 'application/json', ...headers },
    identity: { kind: 'anonymous', address: '127.0.0.1' },
    signal: new AbortController().signal,
    body: async () => Buffer.from(body),
    stream: () => {
      throw new Error('no stream');
    },
  };
  const routes = reportRoutes(service, { hasEnvironment: (name) => name !== 'nosuch' }, silentLogger);
  const response = await routes[0]?.handle(request);
  if (response === undefined) throw new Error('no route');
  return response;
}

const samples = new URL('../../../../shared/samples/agent/', import.meta.url);
const hasSamples = existsSync(samples);

interface Exchange {
  readonly method: string;
  readonly target: string;
  readonly requestBody: string;
  readonly status: number;
  readonly replyBody: string;
}

function recordedReports(): readonly (readonly [string, Exchange])[] {
  return readdirSync(samples)
    .filter((name) => name.startsWith('run'))
    .flatMap((file) => {
      const run: { exchanges: readonly Exchange[] } = JSON.parse(
        readFileSync(new URL(file, samples), 'utf8'),
      );
      return run.exchanges
        .filter(({ target }) => target.includes('/report/'))
        .map((exchange) => [file, exchange] as const);
    });
}

describe.skipIf(!hasSamples)('reports of a real agent (skipped without ../shared/samples/agent)', () => {
  test.each(hasSamples ? recordedReports() : [])('the report of %s is kept', async (_file, exchange) => {
    const sent = JSON.parse(exchange.requestBody);

    const reply = await put(exchange.requestBody, {}, {}, exchange.target);
    const kept = await store.latestReport(sent.host);

    expect(reply).toMatchObject({
      status: exchange.status,
      headers: { 'content-type': 'application/json;charset=utf-8' },
      body: exchange.replyBody,
    });
    expect(kept).toMatchObject({
      certname: sent.host,
      status: sent.status,
      environment: sent.environment,
      transactionUuid: sent.transaction_uuid,
      isNoop: sent.noop,
      isNoopPending: sent.noop_pending,
      isCorrective: sent.corrective_change,
      startedAt: new Date(sent.time),
    });
    expect(kept?.logs).toEqual(sent.logs);
    expect(kept?.resourceStatuses).toEqual(sent.resource_statuses);
    const total = sent.metrics.resources?.values.find(([name]: [string]) => name === 'total')?.[2];
    expect(kept?.metrics['resources']?.['total']).toBe(total);
  });
});

test('the last report of each node is known', async () => {
  const reports = [
    ['a.example', 'changed', '2026-11-21T09:00:00Z'],
    ['b.example', 'failed', '2026-11-21T09:10:00Z'],
    ['a.example', 'unchanged', '2026-11-21T09:30:00Z'],
  ] as const;
  for (const [host, status, time] of reports) {
    await put(
      JSON.stringify({ ...minimal, host, status, time }),
      {},
      {},
      `/puppet/v3/report/${host}?environment=trace`,
    );
  }

  expect((await store.nodes()).map(({ certname, status }) => [certname, status])).toEqual([
    ['a.example', 'unchanged'],
    ['b.example', 'failed'],
  ]);
  expect((await store.reports('a.example', 10)).map(({ status }) => status)).toEqual([
    'unchanged',
    'changed',
  ]);
  expect(await store.latestReport('c.example')).toBeUndefined();
});

test('the same report sent twice is kept once', async () => {
  const body = JSON.stringify({ ...minimal, status: 'changed' });

  await put(body);
  await put(body);

  expect(await store.reports('a.example', 10)).toHaveLength(1);
});

test('old reports are deleted', async () => {
  now = new Date('2026-11-01T00:00:00Z');
  await put(JSON.stringify({ ...minimal, status: 'changed' }));
  now = new Date('2026-11-21T00:00:00Z');
  await put(JSON.stringify({ ...minimal, status: 'unchanged' }));

  expect(await store.deleteBefore(new Date('2026-11-10T00:00:00Z'))).toBe(1);
  expect((await store.reports('a.example', 10)).map(({ status }) => status)).toEqual(['unchanged']);
});

test('a node cannot write the history of another', async () => {
  await put(JSON.stringify({ ...minimal, host: 'victim.example', status: 'failed' }));

  expect(await store.latestReport('victim.example')).toBeUndefined();
  expect(await store.latestReport('a.example')).toMatchObject({ status: 'failed' });
});

test.each([
  ['{"a":1', 'Could not intern from json: unexpected token at \'{\\"a\\":1\''],
  ['', "Could not intern from json: unexpected token at ''"],
  ['{"host":"other"}', "Could not intern from json: undefined method `each' for nil:NilClass"],
  ['{"metrics":{}}', "Could not intern from json: undefined method `map' for nil:NilClass"],
  ['[]', 'Could not intern from json: no implicit conversion of String into Integer'],
  [JSON.stringify({ ...minimal, time: 'xx' }), 'Could not intern from json: no time information in \\"xx\\"'],
  [
    `{"metrics":${'['.repeat(200)}${']'.repeat(200)}}`,
    'Could not intern from json: nesting of 101 is too deep',
  ],
])('%s is refused', async (body, message) => {
  expect(await put(body)).toMatchObject({
    status: 400,
    body: `{"message":"Bad Request: The request body is invalid: ${message}","issue_kind":"RUNTIME_ERROR"}`,
  });
});

test('fields of the wrong type are named', async () => {
  const { body } = await put(JSON.stringify({ ...minimal, logs: [{ level: 5 }] }));

  expect(body).toContain('logs.0.level: Invalid input: expected string');
});

test.each(['text/unknown', 'application/x-msgpack', 'text/yaml'])(
  'a report in %s is refused',
  async (type) => {
    expect(await put('x', {}, { 'content-type': type })).toMatchObject({
      status: 415,
      body: `{"message":"Unsupported Media Type: Client sent a mime-type (${type}) that doesn't correspond to a format we support","issue_kind":"UNSUPPORTED_MEDIA_TYPE"}`,
    });
  },
);

test('a report for an environment that is not there is refused', async () => {
  const reply = await put(JSON.stringify(minimal), {}, {}, '/puppet/v3/report/a.example?environment=nosuch');

  expect(reply).toMatchObject({ status: 404 });
});

test('reports of old agents are read', async () => {
  const old = {
    ...minimal,
    report_format: 4,
    kind: 'apply',
    metrics: { time: { name: 'time', label: 'Time', values: [['total', 'Total', 1.5]] } },
  };

  expect(await put(JSON.stringify(old), {}, { 'content-type': 'text/pson' })).toMatchObject({ status: 200 });
  expect(await store.latestReport('a.example')).toMatchObject({ metrics: { time: { total: 1.5 } } });
});

test('a report that cannot be kept is not acknowledged', async () => {
  const sink = { save: () => Promise.reject(new ServiceError('unavailable', 'disk full')) };

  await expect(put(JSON.stringify(minimal), { sink })).rejects.toThrow('disk full');
});

test('processors are run, and may fail', async () => {
  const lines: (readonly [string, unknown])[] = [];
  const log: Logger = { ...silentLogger, warn: (fields, message) => lines.push([message, fields['text']]) };
  const processors = new Map([
    ['log', logProcessor(log)],
    ['broken', { process: () => Promise.reject(new Error('broken')) }],
  ]);
  const body = JSON.stringify({ ...minimal, logs: [{ level: 'warning', message: 'careful' }] });

  const reply = await put(body, { reports: ['store', 'broken', 'log'], processors });

  expect(reply).toMatchObject({ status: 200, body: '["store","broken","log"]' });
  expect(lines).toEqual([['agent logged', 'careful']]);
});

test('no processors at all are answered as the reference does', async () => {
  expect(await put(JSON.stringify(minimal), { reports: ['none'] })).toMatchObject({
    status: 200,
    body: 'null',
  });
});
