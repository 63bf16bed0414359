import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { OpensslAuthority } from '../../../test/support/openssl-authority.ts';
import { createHttpServer, type HttpServer, json, route, TrustedProxies } from '../../platform/http/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { runCommand } from '../run-command.testing.ts';
import { jobRunCommand } from './job-run.ts';
import { jobShowCommand } from './job-show.ts';
import { taskRunCommand } from './task-run.ts';

/** What the orchestrator says, one answer after the other; the last one again and again. */
let jobs: readonly object[];
let events: readonly object[];
let nodes: readonly object[];
let ordered: unknown[];
let asked: number;

let directory: string;
let authority: OpensslAuthority;
let server: HttpServer;
let connection: readonly string[];

const job = (state: string, states: Readonly<Record<string, number>>, command = 'deploy') => ({
  name: '7',
  state,
  command,
  options: {},
  owner: { login: 'ada' },
  description: '',
  environment: { name: 'production' },
  timestamp: null,
  node_count: Object.values(states).reduce((sum, count) => sum + count, 0),
  node_states: states,
});
const node = (name: string, state: string, more: object = {}) => ({
  name,
  state,
  duration: 1.25,
  details: {},
  ...more,
});

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-follow-'));
  authority = new OpensslAuthority('CA');
  const certificate = authority.issue('localhost', ['subjectAltName=DNS:localhost']);
  const at = (method: 'GET' | 'POST', path: string, answer: (body: unknown) => object) =>
    route({
      method,
      path: `/orchestrator/v1${path}`,
      allow: { kind: 'anyone' },
      handle: async ({ body }) => json(answer(method === 'POST' ? JSON.parse(String(await body())) : {})),
    });
  const start = (body: unknown) => {
    ordered.push(body);
    return { job: { id: 'https://localhost/jobs/7', name: '7' } };
  };
  server = createHttpServer({
    routes: [
      at('POST', '/command/deploy', start),
      at('POST', '/command/task', start),
      at('GET', '/jobs/7', () => jobs[Math.min(asked++, jobs.length - 1)] ?? {}),
      at('GET', '/jobs/7/events', () => ({
        'next-events': { event: '9' },
        items: asked === 1 ? events : [],
      })),
      at('GET', '/jobs/7/nodes', () => ({ items: nodes })),
    ],
    authorization: { rules: [], allowHeaderCertInfo: false },
    tls: { ...certificate, ca: authority.certificate, crl: authority.crl() },
    trustedProxies: new TrustedProxies([]),
    log: silentLogger,
  });
  const port = await server.listen(0, '127.0.0.1');
  for (const [file, text] of [
    ['ca.pem', authority.certificate],
    ['token', 'secret'],
  ] as const)
    writeFileSync(join(directory, file), text);
  const url = `https://localhost:${port}/orchestrator/v1`;
  const [token, ca] = [join(directory, 'token'), join(directory, 'ca.pem')];
  connection = ['--service-url', url, '--token-file', token, '--cacert', ca];
});
beforeEach(() => {
  [events, nodes, ordered, asked] = [[], [], [], 0];
});
afterAll(async () => {
  await server.drain(0);
  authority.remove();
  rmSync(directory, { recursive: true });
});

test('a run prints what happens, each node with its resources, and a summary', async () => {
  jobs = [job('finished', { finished: 1 })];
  events = [{ type: 'node_finished', message: 'Finished puppet run on web1', details: { node: 'web1' } }];
  const metrics = { total: 9, changed: 2, corrective_change: 1 };
  nodes = [node('web1', 'finished', { result: { status: 'changed', metrics } })];

  const outcome = await runCommand(jobRunCommand, '--nodes', 'web1', '--noop', ...connection);

  expect(outcome).toEqual({
    exitCode: 0,
    err: '',
    out: [
      'New job: 7',
      'Finished puppet run on web1',
      'web1: finished (1.3 s)',
      '  changed; resources: 9 total, 2 changed, 0 failed, 0 skipped, 1 corrective change',
      'Job 7 finished: 1 of 1 nodes succeeded',
      '',
    ].join('\n'),
  });
  expect(ordered).toEqual([expect.objectContaining({ scope: { nodes: ['web1'] }, noop: true })]);
});

test('a task shows its output line by line with the node, then text and JSON of each result', async () => {
  jobs = [job('running', { running: 2 }, 'task'), job('failed', { finished: 1, failed: 1 }, 'task')];
  events = [{ type: 'node_output', message: 'one\ntwo\n', details: { node: 'web1' } }];
  nodes = [
    node('web1', 'finished', { result: { _output: 'one\ntwo\n' } }),
    node('web2', 'failed', { duration: null, result: { _error: { msg: 'no' } } }),
  ];

  const { exitCode, out } = await runCommand(
    taskRunCommand,
    'package',
    'a=1',
    'b=x',
    '-n',
    'web1,web2',
    ...connection,
  );

  expect(exitCode).toBe(1);
  expect(out.split('\n')).toEqual([
    'New job: 7',
    'web1 | one',
    'web1 | two',
    'web1: finished (1.3 s)',
    '  one',
    '  two',
    'web2: failed',
    '  {',
    '    "_error": {',
    '      "msg": "no"',
    '    }',
    '  }',
    'Job 7 failed: 1 of 2 nodes succeeded, 1 failed',
    '',
  ]);
  expect(ordered).toEqual([expect.objectContaining({ params: { a: 1, b: 'x' } })]);
});

test('a command shows both outputs and its exit code; nodes that could not be run say why', async () => {
  jobs = [job('failed', { failed: 1, errored: 1, skipped: 1, new: 1 }, 'command')];
  nodes = [
    node('web1', 'failed', { result: { stdout: 'out\n', stderr: 'err\n', exit_code: 3 } }),
    node('web2', 'errored', { duration: null, details: { detail: 'web2 is not connected' } }),
    node('web3', 'skipped', { duration: null }),
  ];

  const { exitCode, out } = await runCommand(jobShowCommand, '7', ...connection);

  expect(exitCode).toBe(1);
  expect(out.split('\n')).toEqual([
    'web1: failed (1.3 s)',
    '  out',
    '  err',
    '  exit code 3',
    'web2: errored',
    '  web2 is not connected',
    'web3: skipped',
    'Job 7 failed: 0 of 4 nodes succeeded, 1 failed, 1 could not be run, 1 skipped, 1 waiting',
    '',
  ]);
});

test.each([
  ['failed', 1],
  ['errored', 1],
  ['skipped', 1],
  ['finished', 0],
])('a job whose only node is %s ends with %d', async (state, exitCode) => {
  jobs = [job('stopped', { [state]: 1 })];

  expect((await runCommand(jobShowCommand, '7', ...connection)).exitCode).toBe(exitCode);
});

test('for programs the job is printed with its nodes, and nothing else', async () => {
  jobs = [job('finished', { finished: 1 })];
  nodes = [node('web1', 'finished')];

  const { out } = await runCommand(jobRunCommand, '-n', 'web1', '--format', 'json', ...connection);

  expect(JSON.parse(out)).toMatchObject({ name: '7', state: 'finished', items: [{ name: 'web1' }] });
});

test('a person who stops waiting is told how to go on; the job does', async () => {
  jobs = [job('running', { running: 1, failed: 1 })];
  let [out, err] = ['', ''];

  const exitCode = await jobRunCommand.run(['-n', 'web1', ...connection], {
    stdout: (text) => void (out += text),
    stderr: (text) => void (err += text),
    isTerminal: true,
    signal: AbortSignal.abort(),
  });

  expect(exitCode).toBe(130);
  expect(out).toBe('New job: 7\n\r\u001B[K[##########----------] 1/2, 1 running, 1 failed\n');
  expect(err).toBe("Job 7 goes on: 'bunraku job show 7', 'bunraku job stop 7'\n");
});
