import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { OpensslAuthority } from '../../../test/support/openssl-authority.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { createHttpServer, type HttpServer, json, route, TrustedProxies } from '../../platform/http/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { UsageError } from '../command.ts';
import { runCommand } from '../run-command.testing.ts';
import { autoscalerExplainCommand } from './explain.ts';
import { autoscalerHistoryCommand } from './history.ts';
import { autoscalerMetricCommand } from './metric.ts';
import { autoscalerPauseCommand, autoscalerResumeCommand } from './pause.ts';
import { autoscalerSetCommand } from './set.ts';
import { autoscalerStatusCommand } from './status.ts';

const settings = { min: 1, max: 50, target: 0.6, paused: false };
const status = {
  settings,
  complete: true,
  numbers: {
    capacity_used: 95.5,
    demand_workers: 3.82,
    need_workers: 6.37,
    work_workers: 3.6,
    backlog_workers: 0.37,
    planned_workers: 4.2,
    plan_trusted: false,
    plan_error: 0.4,
    recent_peak_workers: 3.9,
    serving_workers: 4,
  },
  nodes: { waiting: 12, known: 500 },
  servers: [{ certname: 'compile1.test', phase: 'serving', workers: 4, used: 0.9 }],
  members: [
    {
      certname: 'compile1.test',
      state: 'serving',
      since: '2026-01-01T00:00:00.000Z',
      cause: 'its health checks succeed',
      leaving: null,
    },
    {
      certname: 'pool-a1.test',
      state: 'launching',
      since: '2026-01-01T00:01:00.000Z',
      cause: 'more servers are wanted',
      leaving: null,
    },
  ],
  advice: {
    servers: 1,
    wanted: 2,
    advised: 2,
    holds: [{ kind: 'deploy', until: '2026-01-01T00:05:00.000Z' }],
  },
};
const entry = {
  id: 7,
  time: '2026-01-01T00:00:00.000Z',
  kind: 'advice',
  message: '1 server serves, 2 are advised',
  serving: 1,
  wanted: 2,
  numbers: { work: 3.6, backlog: 0.37, planned: 4.2, capacity: 4, need: 6.37 },
};

let directory: string;
let authority: OpensslAuthority;
let server: HttpServer;
let place: readonly string[];
let asked: string[];
let isKnown: boolean;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-autoscaler-cli-'));
  authority = new OpensslAuthority('CA');
  const certificate = authority.issue('localhost', ['subjectAltName=DNS:localhost']);
  const at = (method: 'GET' | 'POST' | 'PUT', path: string, answer: () => unknown) =>
    route({
      method,
      path: `/autoscaler/v1${path}`,
      allow: { kind: 'permission' },
      async handle({ body, path: called, query }) {
        asked.push(`${method} ${called}?${query} ${method === 'PUT' ? await body() : ''}`.trimEnd());
        return json(answer());
      },
    });
  server = createHttpServer({
    routes: [
      at('GET', '/status', () => status),
      at('GET', '/history', () => [entry, { ...entry, id: 6, numbers: null }]),
      at('GET', '/metric', () => {
        if (!isKnown) throw new ServiceError('unavailable', 'The number is not known yet');
        return { capacity_used: 95.5, demand_workers: 3.82 };
      }),
      at('PUT', '/settings', () => settings),
      at('POST', '/pause', () => ({ ...settings, paused: true })),
      at('POST', '/resume', () => settings),
    ],
    authorization: { rules: [], allowHeaderCertInfo: false },
    authenticate: async (login, address) => ({
      kind: 'user',
      id: login,
      login,
      address,
      permits: () => true,
    }),
    tls: { ...certificate, ca: authority.certificate, crl: authority.crl() },
    trustedProxies: new TrustedProxies([]),
    log: silentLogger,
  });
  const port = await server.listen(0, '127.0.0.1');
  const [tokenFile, caFile] = [join(directory, 'token'), join(directory, 'ca.pem')];
  writeFileSync(tokenFile, 'ada\n');
  writeFileSync(caFile, authority.certificate);
  place = [
    '--data',
    join(directory, 'data'),
    '--primary',
    `localhost:${port}`,
    '--token-file',
    tokenFile,
    '--cacert',
    caFile,
  ];
});
beforeEach(() => {
  [asked, isKnown] = [[], true];
});
afterAll(async () => {
  await server.drain(0);
  authority.remove();
  rmSync(directory, { recursive: true });
});

test('status shows the servers, the capacity used and the advice', async () => {
  const { out } = await runCommand(autoscalerStatusCommand, ...place);

  expect(out).toBe(
    [
      'SERVER         STATE      WORKERS  USED  BECAUSE',
      'compile1.test  serving    4        90 %  its health checks succeed',
      'pool-a1.test   launching  -        -     more servers are wanted',
      '',
      'Capacity used: 96 %, with a target of 60 %',
      'Workers: 4 serve, 6.4 are needed',
      'Nodes: 500 known, 12 told to retry later',
      'Servers: 1 there, 2 advised; 1 to 50 servers, target 0.6',
      '',
    ].join('\n'),
  );
  expect(JSON.parse((await runCommand(autoscalerStatusCommand, '--format', 'json', ...place)).out)).toEqual(
    status,
  );
});

test('explain says where the need comes from, what holds the advice and until when', async () => {
  const { out } = await runCommand(autoscalerExplainCommand, ...place);

  expect(out).toContain('Steady load keeps 3.6 workers busy: with a target of 0.6, 6.0 are needed.\n');
  expect(out).toContain(
    'The forecast is not trusted, wrong by 40 % lately: the highest peak to come keeps 4.2',
  );
  expect(out).toContain('Wanted: 2 servers, of 1 to 50; 1 there; advised now: 2.\n');
  expect(out).toContain(
    'Held: code was deployed: catalogs may take longer now (until 2026-01-01T00:05:00.000Z).\n',
  );
});

test('history lists decisions with their figures', async () => {
  const { out } = await runCommand(autoscalerHistoryCommand, '--limit', '2', ...place);

  expect(asked).toEqual(['GET /autoscaler/v1/history?limit=2']);
  expect(out.split('\n')[1]).toBe(
    '2026-01-01T00:00:00.000Z  3.6   0.37     4.2      6.37  4        1 server serves, 2 are advised',
  );
});

test('the number is printed alone for scripts, which fail while it is not known', async () => {
  expect((await runCommand(autoscalerMetricCommand, ...place)).out).toBe('95.5\n');
  isKnown = false;
  await expect(runCommand(autoscalerMetricCommand, ...place)).rejects.toThrow('The number is not known yet');
});

test('limits are set, and it is paused and resumed', async () => {
  const set = await runCommand(autoscalerSetCommand, '--min', '2', '--target', '0.5', ...place);
  const paused = await runCommand(autoscalerPauseCommand, ...place);
  const resumed = await runCommand(autoscalerResumeCommand, ...place);

  expect([set.out, paused.out, resumed.out]).toEqual([
    '1 to 50 servers, target 0.6\n',
    '1 to 50 servers, target 0.6, paused\n',
    '1 to 50 servers, target 0.6\n',
  ]);
  expect(asked).toEqual([
    'PUT /autoscaler/v1/settings? {"min":2,"target":0.5}',
    'POST /autoscaler/v1/pause?',
    'POST /autoscaler/v1/resume?',
  ]);
});

test.each([
  [autoscalerSetCommand, [], 'nothing to set'],
  [autoscalerSetCommand, ['--min', 'x'], "--min takes a number, not 'x'"],
  [autoscalerHistoryCommand, ['--limit', '0'], "--limit takes a number, not '0'"],
] as const)('mistakes are named: %#', async (command, args, message) => {
  const refused = runCommand(command, ...args);

  await expect(refused).rejects.toThrow(UsageError);
  await expect(refused).rejects.toThrow(message);
});
