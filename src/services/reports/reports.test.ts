import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { ServiceError } from '../../lib/service-error.ts';
import type { HttpRequest, HttpResponse } from '../../platform/http/index.ts';
import { type Logger, silentLogger } from '../../platform/log/index.ts';
import {
  logProcessor,
  type ReportProcessor,
  ReportService,
  type ReportServiceOptions,
  reportRoutes,
  storeProcessor,
} from './index.ts';
import type { Report } from './wire.ts';

/** What has been kept. */
let kept: Report[] = [];

beforeEach(() => {
  kept = [];
});

const keeping: ReportProcessor<Report> = {
  make: (report) => report,
  process: async (_head, report) => {
    kept.push(report);
  },
};

const minimal = { host: 'a.example', metrics: {}, logs: [], resource_statuses: {} };

async function put(
  body: string | Uint8Array,
  options: Partial<ReportServiceOptions> = {},
  headers: Readonly<Record<string, string>> = {},
  target = '/puppet/v3/report/a.example?environment=trace',
): Promise<HttpResponse> {
  const service = new ReportService({
    reports: ['store'],
    processors: new Map([['store', keeping]]),
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

const samples = new URL('../../../test/recorded/agent/', import.meta.url);

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

describe('reports of a real agent', () => {
  test.each(recordedReports())('the report of %s is kept', async (_file, exchange) => {
    const sent = JSON.parse(exchange.requestBody);

    const reply = await put(exchange.requestBody, {}, {}, exchange.target);
    const [report] = kept;

    expect(reply).toMatchObject({
      status: exchange.status,
      headers: { 'content-type': 'application/json;charset=utf-8' },
      body: exchange.replyBody,
    });
    expect(report).toMatchObject({
      certname: sent.host,
      status: sent.status,
      environment: sent.environment,
    });
    expect(report?.sent).toEqual(sent);
  });
});

test('a node cannot write the history of another', async () => {
  await put(JSON.stringify({ ...minimal, host: 'victim.example', status: 'failed' }));

  expect(kept).toMatchObject([{ certname: 'a.example', host: 'victim.example', status: 'failed' }]);
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

test('what is nested as deep as the reference reads is read', async () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const report = (depth: number) => `${JSON.stringify(minimal).slice(0, -1)},"more":${nested(depth)}}`;

  expect((await put(report(99))).status).toBe(200);
  expect((await put(report(100))).status).toBe(400);
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
  expect(kept).toMatchObject([{ sent: old }]);
});

test('a report that cannot be kept is not acknowledged', async () => {
  const full = {
    make: () => undefined,
    process: () => Promise.reject(new ServiceError('unavailable', 'disk full')),
  };

  await expect(put(JSON.stringify(minimal), { processors: new Map([['store', full]]) })).rejects.toThrow(
    'disk full',
  );
});

test('processors are run, and may fail', async () => {
  const lines: (readonly [string, unknown])[] = [];
  const log: Logger = { ...silentLogger, warn: (fields, message) => lines.push([message, fields['text']]) };
  const processors = new Map<string, ReportProcessor>([
    ['log', logProcessor(log)],
    ['store', keeping],
    ['broken', { make: () => undefined, process: () => Promise.reject(new Error('broken')) }],
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

test('stored reports are the YAML files that Puppet writes', async () => {
  const recorded = new URL('recorded/', import.meta.url);
  const sent = readFileSync(new URL('report.json', recorded), 'utf8');
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-reports-'));
  const store = storeProcessor(directory, () => new Date('2026-11-21T10:05:59.999Z'));

  await put(sent, { processors: new Map([['store', store]]) });

  const file = join(directory, 'a.example', '202611211005.yaml');
  expect(readFileSync(file, 'utf8')).toBe(readFileSync(new URL('report.yaml', recorded), 'utf8'));
  expect(statSync(file).mode & 0o777).toBe(0o640);
  await rm(directory, { recursive: true });
});

test('stored reports keep bytes that are not UTF-8', async () => {
  const recorded = readFileSync(new URL('recorded/report.json', import.meta.url), 'utf8');
  const sent = Buffer.from(recorded.replace('"host":"', '"extra":"caf\xe9","host":"'), 'latin1');
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-reports-'));
  const store = storeProcessor(directory, () => new Date('2026-11-21T10:05:59.999Z'));

  await put(sent, { processors: new Map([['store', store]]) });

  const stored = readFileSync(join(directory, 'a.example', '202611211005.yaml'), 'utf8');
  expect(stored).toContain('extra: !binary |-\n  Y2Fm6Q==\n');
  await rm(directory, { recursive: true });
});
