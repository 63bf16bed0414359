/** `/orchestrator/v1` as clients use it, with agents that answer as the real one was recorded. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checkedRoutes } from '../../../../test/support/checked-routes.ts';
import type { Json, JsonObject } from '../../../lib/json.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import { changeMigrations } from '../../../platform/changes/index.ts';
import { createHttpServer, type HttpServer, type WantedPermission } from '../../../platform/http/index.ts';
import { silentLogger } from '../../../platform/log/index.ts';
import { type Database, migrate, openDirectDatabase } from '../../../platform/storage/index.ts';
import {
  DatabaseTaskTargets,
  DatabaseUsage,
  JobRunner,
  JobStore,
  Orchestrator,
  orchestratorMigrations,
  orchestratorRoutes,
  ScheduledJobStore,
  ScheduledJobs,
  Targets,
  TaskTargets,
  Usage,
} from '../index.ts';
import { answering, RecordedAgents, type Script, said } from '../recorded-agent.testing.ts';
import type { TaskAnswer, TaskDetails } from '../tasks/task-terminus.ts';

const seal = { close: (text: string) => text, open: (text: string) => text };
const node = 'agent01.example.vm';
const groupId = '00000000-0000-4000-8000-000000000001';
const groupQuery = ['from', 'nodes', ['extract', ['certname'], ['=', 'certname', node]]];
const ruleless = '00000000-0000-4000-8000-000000000002';
const task: TaskDetails = {
  name: 'demo::impl',
  metadata: {
    description: 'Does something',
    supports_noop: true,
    parameters: {
      action: { type: 'Enum[install, status]' },
      count: { type: 'Integer[1]', default: 3 },
      password: { type: 'Optional[String[1]]', sensitive: true },
      path: { type: 'Optional[Stdlib::Absolutepath]' },
    },
  },
  files: [
    {
      filename: 'impl.rb',
      sha256: '036F62ECAF771EDEC3580BEF28AC0AE45F88B659720CFCFFFB590A1AE723CFCD',
      sizeBytes: 21,
      uri: {
        path: '/puppet/v3/file_content/tasks/demo/impl.rb',
        params: { environment: 'production' },
      },
    },
  ],
};
const everything: readonly WantedPermission[] = [
  { objectType: 'orchestrator', action: 'view' },
  { objectType: 'puppet_agent', action: 'run' },
  { objectType: 'tasks', action: 'run' },
  { objectType: 'plans', action: 'run' },
  { objectType: 'commands', action: 'run' },
  { objectType: 'nodes', action: 'view_data' },
  { objectType: 'node_groups', action: 'view' },
];
/** Tokens, and what they permit; an instance that is absent means all. */
const tokens: Readonly<Record<string, readonly WantedPermission[]>> = {
  admin: everything,
  other: everything,
  viewer: [{ objectType: 'orchestrator', action: 'view' }],
  tasker: [
    { objectType: 'orchestrator', action: 'view' },
    { objectType: 'tasks', action: 'run', instance: 'demo::impl' },
  ],
  constrained: [
    { objectType: 'orchestrator', action: 'view' },
    { objectType: 'tasks', action: 'run_with_constraints', instance: '1' },
  ],
  stranger: [{ objectType: 'nodes', action: 'view_data' }],
};

/** As every environment has it. */
const scriptTask: TaskDetails = {
  name: 'bunraku::script',
  metadata: JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../../modules/bunraku/tasks/script.json'), 'utf8'),
  ) as JsonObject,
  files: task.files,
};

const permitsOf =
  (token: string) =>
  ({ action, instance, objectType }: WantedPermission): boolean =>
    (tokens[token] ?? []).some(
      (each) =>
        each.objectType === objectType &&
        each.action === action &&
        (each.instance === undefined || instance === undefined || each.instance === instance),
    );

let directory: string;
let database: Database;
let agents: RecordedAgents;
let runner: JobRunner;
let scheduled: ScheduledJobs;
let leavers: Set<string>;
let taskTargets: TaskTargets;
let usage: Usage;
let nodeCount: number;
/** Keys of plans that were started. */
let planRuns: string[];
let http: HttpServer;
let url: string;
let nowMs: number;
let answers: (query: string | readonly Json[]) => string;
let reports: Readonly<Record<string, JsonObject>>;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-orchestrator-'));
  database = await openDirectDatabase({ kind: 'sqlite', path: join(directory, 'database.sqlite') }, 'writer');
  await migrate(database, [...changeMigrations, ...orchestratorMigrations]);
  nowMs = Date.UTC(2026, 10, 21, 9, 35, 0);
  agents = new RecordedAgents();
  answers = () => '[]';
  reports = {};
  const store = new JobStore(database, seal);
  let ids = 0;
  runner = new JobRunner({
    store,
    link: agents,
    findReport: (_, uuid) => Promise.resolve(reports[uuid]),
    policy: {
      disconnectedMs: 30_000,
      disconnectedAfterRestartMs: 120_000,
      answerMs: 10_000,
      quietMs: 60_000,
      silentMs: 300_000,
      mostDeliveries: 5,
      reportRetryMs: 500,
      mostReportTries: 3,
    },
    limits: { deploy: 8, task: 250 },
    nowMs: () => nowMs,
    newId: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
    pause: () => Promise.resolve(),
    log: silentLogger,
  });
  await runner.start();
  const targets = new Targets({
    query: async (query) => await Promise.resolve(answers(query)),
    findGroup: (id) => {
      if (id === groupId) return { query: groupQuery };
      return id === ruleless ? { query: undefined } : undefined;
    },
    findConnectionGroup: (name) => (name === 'db' ? [node] : undefined),
    servers: () => [
      { certname: 'primary.example.vm', role: 'primary' },
      { certname: node, role: 'compile server' },
    ],
  });
  taskTargets = new TaskTargets({
    store: new DatabaseTaskTargets(database),
    targets,
    nowMs: () => nowMs,
    newId: () => `task target ${(ids += 1)}`,
  });
  usage = new Usage({
    store: new DatabaseUsage(database),
    countNodes: () => Promise.resolve(nodeCount),
    nowMs: () => nowMs,
  });
  nodeCount = 7;
  const orchestrator = new Orchestrator({
    store,
    runner,
    link: agents,
    targets,
    taskTargets,
    tasks: {
      tasks: (environment) => Promise.resolve(environment === 'production' ? [task] : undefined),
      task: (environment, name): Promise<TaskAnswer> => {
        if (environment !== 'production') return Promise.resolve({ kind: 'no-environment' });
        if (name === scriptTask.name) return Promise.resolve({ kind: 'found', value: scriptTask });
        if (name !== task.name) return Promise.resolve({ kind: 'not-in-module' });
        return Promise.resolve({ kind: 'found', value: task });
      },
    },
    hasEnvironment: (name) => name === 'production',
    nowMs: () => nowMs,
  });
  leavers = new Set();
  planRuns = [];
  scheduled = new ScheduledJobs({
    store: new ScheduledJobStore(database, seal),
    orchestrator,
    isInCharge: () => true,
    plans: {
      sensitiveParameters: ({ plan }) => {
        if (plan !== 'demo') throw new ServiceError('not-found', `Unknown plan ${plan}`);
        return Promise.resolve(['password']);
      },
      run: (_, __, key) => {
        planRuns.push(key);
        return Promise.resolve(planRuns.length);
      },
    },
    findActor: ({ id, login }) =>
      Promise.resolve(
        leavers.has(login)
          ? undefined
          : { id, login, permits: permitsOf(login), author: { kind: 'user', id, name: login } },
      ),
    nowMs: () => nowMs,
    newId: () => `scheduling ${(ids += 1)}`,
    log: silentLogger,
  });
  http = createHttpServer({
    routes: checkedRoutes(
      orchestratorRoutes({
        orchestrator,
        scheduled,
        taskTargets,
        usage,
        allow: { kind: 'permission', permission: { objectType: 'orchestrator', action: 'view' } },
        authority: () => 'primary.example.vm:8143',
      }),
    ),
    authorization: { rules: [], allowHeaderCertInfo: false },
    authenticate: (token, address) => {
      if (tokens[token] === undefined)
        return Promise.reject(new ServiceError('unauthorized', 'no such token'));
      const permits = permitsOf(token);
      return Promise.resolve({ kind: 'user', id: `id of ${token}`, login: token, permits, address });
    },
    log: silentLogger,
  });
  url = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}`;
});

afterEach(async () => {
  await http.drain(0);
  await runner.close();
  await database.close();
  rmSync(directory, { recursive: true });
});

async function ask(
  path: string,
  options: { body?: unknown; token?: string; key?: string; method?: string } = {},
) {
  const { body, key, method, token = 'admin' } = options;
  const answer = await fetch(`${url}/orchestrator/v1${path}`, {
    headers: { 'x-authentication': token, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as JsonObject };
}

/** Starts a job and waits for its end. @returns its number */
async function run(command: 'deploy' | 'task', body: object): Promise<string> {
  const { body: started, status } = await ask(`/command/${command}`, { body });
  expect(status, JSON.stringify(started)).toBe(202);
  const { name } = started['job'] as { readonly name: string };
  await ended(name);
  return name;
}

async function ended(name: string): Promise<void> {
  await vi.waitFor(
    async () => {
      nowMs += 1000;
      await runner.tick();
      expect((await ask(`/jobs/${name}`)).body['state']).toMatch(/^(finished|failed|stopped)$/);
    },
    { timeout: 10_000, interval: 5 },
  );
}

async function nodeOf(name: string): Promise<JsonObject> {
  const { items } = (await ask(`/jobs/${name}/nodes`)).body as { readonly items: readonly JsonObject[] };
  const [first] = items;
  if (first === undefined) throw new Error('a job without nodes');
  return first;
}

const deploy = (more: object = {}) => ({ environment: 'production', scope: { nodes: [node] }, ...more });
const runTask = (params: object = { action: 'install' }, more: object = {}) => ({
  task: task.name,
  params,
  scope: { nodes: [node] },
  ...more,
});
const recorded = (file: string, note: string): Script => answering(said(file, note));

test('a Puppet run is started with flags and the job, and ends with the report of its transaction', async () => {
  agents.connect(node, recorded('v2-puppet-run.json', 'run with changes'));
  reports = { '80a2db12-b065-407a-a124-937b14de2b35': { hash: 'abc', configuration_version: '17' } };

  const name = await run('deploy', deploy({ noop: true, tags: ['a', 'b'], debug: true }));

  expect(agents.sent[0]).toMatchObject({
    messageType: 'http://puppetlabs.com/rpc_non_blocking_request',
    data: { notify_outcome: true, module: 'pxp-module-puppet', action: 'run' },
  });
  expect(agents.sent[0]?.data['params']).toEqual({
    flags: [
      '--environment',
      'production',
      '--strict_environment_mode',
      '--no-splay',
      '--noop',
      '--debug',
      '--tags',
      'a,b',
    ],
    job: name,
  });
  expect(await nodeOf(name)).toMatchObject({
    name: node,
    state: 'finished',
    transaction_uuid: '80a2db12-b065-407a-a124-937b14de2b35',
    result: {
      hash: 'abc',
      configuration_version: '17',
      status: 'changed',
      environment: 'production',
      metrics: { total: 8, changed: 1 },
      noop: { noop: true, no_noop: false },
    },
  });
});

test.each([
  ['a resource fails', 'failed', undefined],
  ['the catalog cannot be compiled', 'failed', 'Puppet agent exited with a non 0 exitcode'],
  ['run while the agent is disabled', 'errored', 'Puppet agent is disabled'],
  ['no flags entry', 'errored', 'invalid input for non blocking'],
] as const)('a Puppet run: %s', async (note, state, detail) => {
  agents.connect(node, recorded('v2-puppet-run.json', note));

  const name = await run('deploy', deploy());

  const found = await nodeOf(name);
  expect(found['state']).toBe(state);
  if (detail !== undefined) expect(JSON.stringify(found['details'])).toContain(detail);
  expect((await ask(`/jobs/${name}`)).body).toMatchObject({ state: 'failed', node_states: { [state]: 1 } });
});

test('a node uses its own environment where none is enforced', async () => {
  agents.connect(node, recorded('v2-puppet-run.json', 'run with changes'));

  await run('deploy', deploy({ environment: '', enforce_environment: false, no_noop: true }));

  expect(agents.sent[0]?.data['params']).toMatchObject({ flags: ['--no-splay', '--no-noop'] });
});

test('a task is sent with its files, and its output is the result', async () => {
  agents.connect(node, recorded('v2-task.json', 'task whose output is not JSON'));

  const name = await run('task', runTask({ action: 'install', password: 'geheim' }, { noop: true }));

  expect(agents.sent[0]?.data).toMatchObject({
    module: 'task',
    action: 'run',
    params: {
      task: task.name,
      input: { action: 'install', count: 3, password: 'geheim', _noop: true },
      metadata: task.metadata,
      files: [
        {
          filename: 'impl.rb',
          sha256: '036f62ecaf771edec3580bef28ac0ae45f88b659720cfcfffb590a1ae723cfcd',
          uri: task.files[0]?.uri,
        },
      ],
    },
  });
  expect(await nodeOf(name)).toMatchObject({ state: 'finished', result: { _output: 'not json\n' } });
});

test('sensitive parameters are shown nowhere', async () => {
  agents.connect(node, recorded('v2-task.json', 'task whose output is not JSON'));

  const name = await run('task', runTask({ action: 'install', password: 'geheim' }));

  const { body } = await ask(`/jobs/${name}`);
  expect(body['options']).toMatchObject({ params: { action: 'install' }, sensitive: ['password'] });
  for (const path of ['/jobs', `/jobs/${name}`, `/jobs/${name}/nodes`, `/jobs/${name}/events`])
    expect(JSON.stringify((await ask(path)).body)).not.toContain('geheim');
});

test('a task that fails says why', async () => {
  agents.connect(node, recorded('v2-task.json', 'task that fails with _error'));

  const name = await run('task', runTask());

  expect(await nodeOf(name)).toMatchObject({
    state: 'failed',
    result: { _error: { msg: 'it broke', kind: 'demo/broke' } },
  });
});

test('a task whose file cannot be had has not run', async () => {
  agents.connect(node, recorded('v2-task.json', 'task with a file that exists nowhere'));

  const name = await run('task', runTask());

  const found = await nodeOf(name);
  expect(found).toMatchObject({
    state: 'errored',
    result: { _error: { kind: 'puppetlabs.orchestrator/execution-failure', details: { node } } },
  });
  expect(JSON.stringify(found)).toContain('HTTP status 404');
  const { body } = await ask(`/jobs/${name}/nodes`);
  const last = (await ask(`/jobs/${name}/events`)).body;
  expect(body['next-events']).toEqual(last['next-events']);
  const events = last['items'] as readonly JsonObject[];
  expect(found['latest-event-id']).toBe(Number(events.at(-2)?.['id']));
});

test('a result that was lost with the connection is asked for', async () => {
  const note = 'command ends while there is no connection';
  const provisional = said('v2-lost-connection.json', note);
  const status = said('v2-lost-connection.json', 'messages that came by themselves');
  const script = answering([...provisional, ...status]);
  agents.connect(node, script);
  const { body } = await ask('/command/task', { body: runTask() });
  const { name } = body['job'] as { readonly name: string };
  await vi.waitFor(async () => expect((await nodeOf(name))['state']).toBe('running'));

  agents.disconnect(node);
  agents.connect(node, script);

  await ended(name);
  expect(await nodeOf(name)).toMatchObject({ state: 'finished', result: { _output: 'unheard\n' } });
  const queries = agents.sent.filter(({ data }) => data['module'] === 'status');
  expect(queries).toHaveLength(1);
  expect(agents.sent.filter(({ data }) => data['module'] === 'task')).toHaveLength(1);
});

test('a node that is not connected is given up after a while, and others run', async () => {
  agents.connect(node, recorded('v2-task.json', 'task whose output is not JSON'));

  const name = await run('task', runTask(undefined, { scope: { nodes: ['Away.example.vm', node] } }));

  const { items } = (await ask(`/jobs/${name}/nodes`)).body as { readonly items: readonly JsonObject[] };
  expect(items).toMatchObject([
    { name: node, state: 'finished' },
    {
      name: 'away.example.vm',
      state: 'errored',
      start_timestamp: null,
      details: {
        message: `Error running task ${task.name} on away.example.vm: away.example.vm is not connected to the PCP broker`,
        detail: 'away.example.vm is not connected to the PCP broker',
      },
    },
  ]);
});

test('a client follows events by the number of the next', async () => {
  agents.connect(node, recorded('v2-puppet-run.json', 'run with changes'));
  const name = await run('deploy', deploy());

  const { body } = await ask(`/jobs/${name}/events`);
  const items = body['items'] as readonly JsonObject[];
  const next = body['next-events'] as { readonly event: string; readonly id: string };

  expect(items).toMatchObject([
    { type: 'node_running', message: `Started puppet run on ${node} ...`, details: { node } },
    { type: 'node_finished', message: `Finished puppet run on ${node} - Success!` },
    { type: 'job_finished', message: `Job ${name} has finished`, details: {} },
  ]);
  expect(next.id).toBe(
    `${url.replace('http:', 'https:')}/orchestrator/v1/jobs/${name}/events?start=${next.event}`,
  );
  expect((await ask(`/jobs/${name}/events?start=${next.event}`)).body).toMatchObject({
    items: [],
    'next-events': { event: next.event },
  });
  const last = String(items.at(-1)?.['id']);
  expect((await ask(`/jobs/${name}/events?start=${last}`)).body['items']).toHaveLength(1);
});

test('events are streamed while they come, and again from where a client left off', async () => {
  let answer: (() => void) | undefined;
  const result = said('v2-task.json', 'task whose output is not JSON');
  agents.connect(node, (data, messageType) => {
    answer = () => {
      for (const each of answering(result)(data, messageType)) agents.say(node, each);
    };
    return [];
  });
  const { body: started } = await ask('/command/task', { body: runTask() });
  const { name } = started['job'] as { readonly name: string };
  const stream = async (headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${url}/orchestrator/v1/jobs/${name}/events`, {
      headers: { 'x-authentication': 'admin', accept: 'text/event-stream', ...headers },
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    if (response.body === null) throw new Error('no stream');
    return response.body.pipeThrough(new TextDecoderStream());
  };
  let text = '';

  for await (const part of await stream()) {
    text += part;
    if (part.includes('event: node_running')) answer?.();
  }

  const types = [...text.matchAll(/^event: (.*)$/gm)].map(([, type]) => type);
  expect(types).toEqual(['node_running', 'node_finished', 'job_finished']);
  const [, id = ''] = /^id: (\d+)$/m.exec(text) ?? [];
  let rest = '';
  for await (const part of await stream({ 'last-event-id': id })) rest += part;
  expect([...rest.matchAll(/^event: (.*)$/gm)].map(([, type]) => type)).toEqual(types.slice(1));
  expect(JSON.parse(/^data: (.*)$/m.exec(rest)?.[1] ?? '')).toMatchObject({ details: { node } });
});

test('output appears while a task runs, each line once, also after a reconnection', async () => {
  const output = (transactionId: Json, stream: string, offset: number, text: string) =>
    agents.say(node, {
      messageType: 'http://puppetlabs.com/rpc_action_output',
      data: { transaction_id: transactionId, stream, offset, text },
    });
  const script: Script = (data) =>
    data['module'] === 'task'
      ? [
          {
            messageType: 'http://puppetlabs.com/rpc_provisional_response',
            data: { transaction_id: data['transaction_id'] ?? '' },
          },
        ]
      : [];
  agents.connect(node, script);
  await ask('/command/task', { body: runTask() });
  const followed = () => agents.sent.filter(({ data }) => data['module'] === 'output');
  await vi.waitFor(() => expect(followed()).toHaveLength(1));
  const [sent] = agents.sent;
  const id = sent?.data['transaction_id'] ?? '';
  expect(followed()[0]?.data).toMatchObject({
    action: 'follow',
    params: { transaction_id: id, stdout_offset: 0, stderr_offset: 0 },
  });
  const written = async () =>
    ((await ask('/jobs/1/events')).body['items'] as readonly JsonObject[])
      .filter(({ type }) => type === 'node_output')
      .map(({ details, message }) => [((details as JsonObject)['detail'] as JsonObject)['stream'], message]);

  output(id, 'stdout', 0, 'grün\n');
  output(id, 'stdout', 0, 'grün\n');
  output(id, 'stderr', 0, 'warn\n');
  await vi.waitFor(async () => expect(await written()).toHaveLength(2));
  agents.disconnect(node);
  agents.connect(node, script);
  await vi.waitFor(() => expect(agents.sent.some(({ data }) => data['module'] === 'status')).toBe(true));
  const asked = agents.sent.find(({ data }) => data['module'] === 'status');
  agents.say(node, {
    messageType: 'http://puppetlabs.com/rpc_blocking_response',
    data: {
      transaction_id: asked?.data['transaction_id'] ?? '',
      results: { transaction_id: id, status: 'running' },
    },
  });
  await vi.waitFor(() => expect(followed()).toHaveLength(2));
  expect(followed()[1]?.data['params']).toMatchObject({ stdout_offset: 6, stderr_offset: 5 });
  output(id, 'stdout', 2, 'ün\nblau\n');
  output('another', 'stdout', 11, 'no\n');

  await vi.waitFor(async () => expect(await written()).toHaveLength(3));
  expect(await written()).toEqual([
    ['stdout', 'grün\n'],
    ['stderr', 'warn\n'],
    ['stdout', 'blau\n'],
  ]);
  expect((await nodeOf('1'))['details']).toMatchObject({
    message: `Started task ${task.name} on ${node} ...`,
  });
});

test('a client may wait for the next event', async () => {
  agents.connect(node, () => []);
  const { body: started } = await ask('/command/task', { body: runTask() });
  const { name } = started['job'] as { readonly name: string };
  const first = await ask(`/jobs/${name}/events?wait=20`);
  const { event } = first.body['next-events'] as { readonly event: string };

  const waiting = ask(`/jobs/${name}/events?start=${event}&wait=20`);
  await ask('/command/stop', { body: { job: name } });

  expect(first.body['items']).toMatchObject([{ type: 'node_running' }]);
  expect((await waiting).body['items']).toMatchObject([{ type: 'job_aborted' }]);
  expect((await ask(`/jobs/${name}/events?start=1000`)).body['items']).toEqual([]);
  expect((await ask(`/jobs/99/events?wait=20`)).status).toBe(404);
});

test('nodes of a job are filtered, ordered and cut', async () => {
  agents.connect(node, recorded('v2-task.json', 'task whose output is not JSON'));
  const scope = { nodes: ['b.example.vm', node, 'c.example.vm'] };
  const name = await run('task', runTask(undefined, { scope }));
  const names = async (query: string) =>
    ((await ask(`/jobs/${name}/nodes${query}`)).body['items'] as readonly JsonObject[]).map(
      (each) => each['name'],
    );

  expect(await names('')).toEqual([node, 'b.example.vm', 'c.example.vm']);
  expect(await names('?state=errored&order=desc')).toEqual(['c.example.vm', 'b.example.vm']);
  expect(await names('?limit=1&offset=1')).toEqual(['b.example.vm']);
  expect(await names('?order_by=state')).toEqual(['b.example.vm', 'c.example.vm', node]);
  expect((await ask(`/jobs/${name}/nodes?state=sleeping`)).status).toBe(400);
  expect((await ask('/jobs?min_finish_timestamp=2030-01-01T00:00:00Z')).body['items']).toEqual([]);
  expect((await ask('/jobs?max_finish_timestamp=2030-01-01T00:00:00Z')).body['items']).toHaveLength(1);
  expect((await ask('/jobs?min_finish_timestamp=soon')).status).toBe(400);
});

test('a job is shown with its states and its links', async () => {
  agents.connect(node, recorded('v2-puppet-run.json', 'run with changes'));
  const name = await run('deploy', deploy({ description: 'on demand' }));
  const id = `${url.replace('http:', 'https:')}/orchestrator/v1/jobs/${name}`;

  const { body } = await ask(`/jobs/${name}`);

  expect(body).toMatchObject({
    id,
    name,
    state: 'finished',
    command: 'deploy',
    options: { environment: 'production', scope: { nodes: [node] }, description: 'on demand' },
    owner: { id: 'id of admin', login: 'admin' },
    environment: { name: 'production' },
    node_count: 1,
    node_states: { finished: 1 },
    nodes: { id: `${id}/nodes` },
    report: { id: `${id}/report` },
    events: { id: `${id}/events` },
  });
  const statuses = body['status'] as readonly JsonObject[];
  expect(statuses.map(({ state }) => state)).toEqual(['new', 'ready', 'running', 'finished']);
  expect(statuses.at(-1)?.['exit_time']).toBeNull();
  expect((await ask(`/jobs/${name}/report`)).body).toMatchObject({
    items: [{ node, state: 'finished', events: [] }],
  });
});

/** Starts a job, and waits until as many requests were sent. */
async function startOrdered(command: string, body: object, count: number): Promise<string> {
  const { body: started } = await ask(`/command/${command}`, { body });
  await vi.waitFor(() => expect(agents.sent).toHaveLength(count));
  return (started['job'] as { readonly name: string }).name;
}

/** The answer of an agent to the request that it got last. */
function answer(certname: string, results: JsonObject): void {
  const sent = agents.sent.findLast((each) => each.certname === certname && each.data['module'] !== 'status');
  const data = { transaction_id: sent?.data['transaction_id'] ?? '', results };
  agents.say(certname, { messageType: 'http://puppetlabs.com/rpc_non_blocking_response', data });
}

const ranWell = { status: 'changed', exitcode: 0, metrics: {} };

test('Puppet runs on servers in the order that they need, each after those before', async () => {
  agents.connect('primary.example.vm', () => []);
  agents.connect(node, () => []);

  const name = await startOrdered('deploy', deploy({ scope: undefined, order: 'infrastructure' }), 1);
  expect(agents.sent[0]?.certname).toBe(node);
  answer(node, ranWell);
  await vi.waitFor(() => expect(agents.sent[1]?.certname).toBe('primary.example.vm'));
  answer('primary.example.vm', ranWell);
  await ended(name);

  const { body } = await ask(`/jobs/${name}`);
  expect(body).toMatchObject({
    state: 'finished',
    options: { order: [[node], ['primary.example.vm']] },
    node_states: { finished: 2 },
  });
  const { body: nodes } = await ask(`/jobs/${name}/nodes`);
  expect(nodes['items']).toMatchObject([
    { name: node, level: 0 },
    { name: 'primary.example.vm', level: 1 },
  ]);
});

test('a level that fails ends an ordered job: the rest is skipped', async () => {
  for (const certname of ['a.example.vm', 'b.example.vm', node]) agents.connect(certname, () => []);
  const order = [['a.example.vm', 'b.example.vm'], [node]];

  const name = await startOrdered('deploy', deploy({ scope: undefined, order }), 2);
  answer('a.example.vm', { ...ranWell, status: 'failed' });
  answer('b.example.vm', ranWell);
  await ended(name);

  expect(agents.sent.some(({ certname }) => certname === node)).toBe(false);
  const { body } = await ask(`/jobs/${name}`);
  expect(body).toMatchObject({ state: 'failed', node_states: { failed: 1, finished: 1, skipped: 1 } });
  const { body: nodes } = await ask(`/jobs/${name}/nodes?state=skipped`);
  expect(nodes['items']).toMatchObject([
    { name: node, details: { detail: 'not started because 1 node failed' } },
  ]);
});

test('a node that is away counts from the moment that its level begins', async () => {
  agents.connect('a.example.vm', () => []);
  nowMs += 600_000;
  const name = await startOrdered(
    'deploy',
    deploy({ scope: undefined, order: [['a.example.vm'], [node]] }),
    1,
  );
  nowMs += 40_000;
  await runner.tick();
  agents.connect(node, () => []);
  answer('a.example.vm', ranWell);
  await vi.waitFor(() => expect(agents.sent.some(({ certname }) => certname === node)).toBe(true));
  answer(node, ranWell);
  await ended(name);

  expect((await ask(`/jobs/${name}`)).body).toMatchObject({ state: 'finished' });
});

test('a task rolls over its nodes in batches, as long as no more fail than may', async () => {
  const nodes = ['a', 'b', 'c', 'd', 'e'].map((each) => `${each}.example.vm`);
  for (const certname of nodes) agents.connect(certname, () => []);
  const body = runTask(undefined, { scope: { nodes }, batch: [1, '40%'], max_failures: 1 });
  const batchOf = (from: number, to: number) => agents.sent.slice(from, to).map(({ certname }) => certname);
  const done = { exitcode: 0, stdout: '{}' };

  const name = await startOrdered('task', body, 1);
  answer('a.example.vm', { ...done, exitcode: 1 });
  await vi.waitFor(() => expect(batchOf(1, 9)).toEqual(['b.example.vm', 'c.example.vm']));
  answer('b.example.vm', { ...done, exitcode: 1 });
  answer('c.example.vm', done);
  await ended(name);

  expect((await ask(`/jobs/${name}`)).body).toMatchObject({
    state: 'failed',
    options: { batch: [1, '40%'], max_failures: 1 },
    node_states: { finished: 1, failed: 2, skipped: 2 },
  });
});

test('a job runs on the nodes of a group of connections', async () => {
  agents.connect(node, () => []);

  const found = await ask('/command/task', {
    body: runTask(undefined, { scope: { connection_group: 'db' } }),
  });
  const none = await ask('/command/task', {
    body: runTask(undefined, { scope: { connection_group: 'no' } }),
  });

  expect(found.status).toBe(202);
  await vi.waitFor(() => expect(agents.sent.map(({ certname }) => certname)).toEqual([node]));
  expect(none).toMatchObject({ status: 400, body: { kind: 'puppetlabs.orchestrator/empty-target' } });
});

test('a job that is stopped by force is over at once; later answers change nothing', async () => {
  agents.connect('other.example.vm', () => []);
  agents.connect(node, () => []);
  const scope = { nodes: ['other.example.vm', node] };
  const order = { body: runTask(undefined, { scope, concurrency: 1 }) };
  const { body: started } = await ask('/command/task', order);
  const { name } = started['job'] as { readonly name: string };
  await vi.waitFor(() => expect(agents.sent).toHaveLength(1));
  await ask('/command/stop', { body: { job: name } });

  const { body, status } = await ask('/command/stop', { body: { job: name, force: true } });

  expect(status).toBe(202);
  expect(body['job']).toMatchObject({ name, nodes: { running: 0, skipped: 1, errored: 1 } });
  const sent = agents.sent[0];
  agents.say(sent?.certname ?? '', {
    messageType: 'http://puppetlabs.com/rpc_non_blocking_response',
    data: { transaction_id: sent?.data['transaction_id'] ?? '', results: { exitcode: 0, stdout: '{}' } },
  });
  expect((await ask(`/jobs/${name}`)).body).toMatchObject({ state: 'stopped' });
  const { body: nodes } = await ask(`/jobs/${name}/nodes`);
  expect(nodes['items']).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        name: sent?.certname,
        state: 'errored',
        details: expect.objectContaining({
          detail: 'the job was stopped by force: what runs on the node goes on, and its end is not known',
        }),
      }),
    ]),
  );
  expect((await ask('/command/stop', { body: { job: name, force: true } })).status).toBe(202);
});

test('a stopped job leaves alone what has not begun', async () => {
  agents.connect('other.example.vm', () => []);
  const scope = { nodes: ['other.example.vm', node] };
  agents.connect(node, () => []);
  const { body: started } = await ask('/command/task', {
    body: runTask(undefined, { scope, concurrency: 1 }),
  });
  const { name } = started['job'] as { readonly name: string };
  await vi.waitFor(() => expect(agents.sent).toHaveLength(1));

  const { body, status } = await ask('/command/stop', { body: { job: name } });

  expect(status).toBe(202);
  expect(body['job']).toMatchObject({ name, nodes: { new: 0, running: 1, skipped: 1, finished: 0 } });
  expect((await ask('/command/stop', { body: { job: name } })).status).toBe(202);
  const sent = agents.sent[0];
  agents.say(sent?.certname ?? '', {
    messageType: 'http://puppetlabs.com/rpc_non_blocking_response',
    data: { transaction_id: sent?.data['transaction_id'] ?? '', results: { exitcode: 0, stdout: '{}' } },
  });
  await ended(name);
  expect((await ask(`/jobs/${name}`)).body).toMatchObject({
    state: 'stopped',
    node_states: { finished: 1, skipped: 1 },
  });
});

test('who started, stopped and scheduled what is recorded, without secrets', async () => {
  agents.connect(node, () => []);
  const later = new Date(nowMs + 60_000).toISOString();
  const body = runTask({ action: 'install', password: 'geheim' });
  await ask('/command/task', { body });
  await ask('/command/stop', { body: { job: '1' }, token: 'other' });
  await ask('/command/schedule_task', { body: { ...body, scheduled_time: later } });
  await ask('/scheduled_jobs/1', { method: 'DELETE' });

  const text = 'select object_type, object_id, author_name, events, after_change from changes order by id';
  const rows = await database.read({ parts: [text], values: [] });
  expect(rows).toMatchObject([
    { object_type: 'jobs', object_id: '1', author_name: 'admin' },
    { object_type: 'jobs', object_id: '1', author_name: 'other' },
    { object_type: 'scheduled_jobs', object_id: '1', author_name: 'admin' },
    { object_type: 'scheduled_jobs', object_id: '1', author_name: 'admin' },
  ]);
  expect(JSON.stringify(rows)).toContain(`Started task ${task.name} on 1 node`);
  expect(JSON.stringify(rows)).not.toContain('geheim');
});

test('one node does not answer for another', async () => {
  agents.connect(node, () => []);
  const { body: started } = await ask('/command/task', { body: runTask() });
  const { name } = started['job'] as { readonly name: string };
  await vi.waitFor(() => expect(agents.sent).toHaveLength(1));
  const data = {
    transaction_id: agents.sent[0]?.data['transaction_id'] ?? '',
    results: { exitcode: 0, stdout: 'false' },
  };
  const messageType = 'http://puppetlabs.com/rpc_non_blocking_response';

  agents.say('thief.example.vm', { messageType, data });
  agents.say(node, { messageType, data: { ...data, results: { exitcode: 0, stdout: 'true' } } });

  await ended(name);
  expect(await nodeOf(name)).toMatchObject({ result: { _output: 'true' } });
});

test('a request under the same key of the same user starts one job', async () => {
  agents.connect(node, recorded('v2-task.json', 'task whose output is not JSON'));
  const body = runTask();

  const first = await ask('/command/task', { body, key: 'once' });
  const again = await ask('/command/task', { body, key: 'once' });
  const other = await ask('/command/task', { body, key: 'once', token: 'other' });

  expect(again).toEqual(first);
  expect(other.body).not.toEqual(first.body);
  expect((await ask('/jobs')).body).toMatchObject({ pagination: { total: 2 } });
});

test('targets are names, a query or a group', async () => {
  agents.connect(node, recorded('v2-task.json', 'task whose output is not JSON'));
  const asked: unknown[] = [];
  answers = (query) => {
    asked.push(query);
    return JSON.stringify([{ certname: node }, { certname: node }]);
  };

  for (const scope of [{ query: 'nodes[certname] {}' }, { node_group: groupId }]) {
    const name = await run('task', runTask(undefined, { scope }));
    expect((await ask(`/jobs/${name}`)).body).toMatchObject({ node_count: 1, options: { scope } });
  }
  await run('deploy', { environment: 'production' });

  expect(asked).toEqual([
    'nodes[certname] {}',
    groupQuery,
    ['from', 'nodes', ['extract', ['certname'], ['=', 'catalog_environment', 'production']]],
  ]);
});

test('the nodes of a job are told before it is started', async () => {
  agents.connect(node, () => []);
  const targets = async (body: object, token = 'admin') => (await ask('/targets', { body, token })).body;
  answers = () => JSON.stringify([{ certname: 'z' }, { certname: node }, { certname: 'b' }]);

  expect(await targets({ scope: { query: 'nodes[certname] {}' }, limit: 2 })).toEqual({
    total: 3,
    connected: 1,
    levels: [
      {
        total: 3,
        connected: 1,
        nodes: [
          { name: node, connected: true },
          { name: 'b', connected: false },
        ],
      },
    ],
  });
  expect(await targets({ order: 'infrastructure' })).toEqual({
    total: 2,
    connected: 1,
    levels: [
      { role: 'compile server', total: 1, connected: 1, nodes: [{ name: node, connected: true }] },
      {
        role: 'primary',
        total: 1,
        connected: 0,
        nodes: [{ name: 'primary.example.vm', connected: false }],
      },
    ],
  });
  expect(await targets({ order: [[node], ['b', 'c']] })).toMatchObject({
    total: 3,
    levels: [{ total: 1 }, { total: 2 }],
  });
  expect((await ask('/jobs')).body['items']).toEqual([]);
});

test('nodes of a scope that has none are no mistake, and those on which a task may not be run do not count', async () => {
  const targets = async (body: object, token = 'admin') => await ask('/targets', { body, token });

  expect(await targets({ scope: { node_group: ruleless } })).toMatchObject({
    status: 200,
    body: { total: 0, levels: [], reason: `Node group ${ruleless} has no rules` },
  });
  const target = { display_name: 'one', tasks: [task.name], nodes: [node] };
  await ask('/command/task_target', { body: target });
  const asked = { scope: { nodes: [node, 'b'] }, task: task.name };
  expect((await targets(asked, 'constrained')).body).toMatchObject({ total: 1 });
  expect((await targets(asked)).body).toMatchObject({ total: 2 });

  expect((await targets({ scope: { query: 'nodes {}' } }, 'viewer')).status).toBe(403);
  expect((await targets({ scope: { node_group: groupId } }, 'viewer')).status).toBe(404);
  expect((await targets({ scope: { nodes: [node] }, order: [[node]] })).status).toBe(400);
  expect((await targets({})).status).toBe(400);
});

test.each([
  ['deploy', 'no JSON', 400, 'validation-error'],
  ['deploy', { scope: { nodes: [node] } }, 400, 'validation-error'],
  ['deploy', deploy({ environment: 'nowhere' }), 404, 'unknown-environment'],
  ['deploy', deploy({ environment: 'no-name' }), 400, 'validation-error'],
  ['deploy', deploy({ environment: '' }), 400, 'validation-error'],
  ['deploy', deploy({ noop: true, no_noop: true }), 400, 'validation-error'],
  ['deploy', deploy({ scope: { nodes: [node], query: 'nodes {}' } }), 400, 'validation-error'],
  ['deploy', deploy({ scope: {} }), 400, 'validation-error'],
  ['deploy', deploy({ scope: { nodes: [] } }), 400, 'empty-target'],
  ['deploy', deploy({ scope: { query: 'nodes {}' } }), 400, 'empty-target'],
  ['deploy', deploy({ tags: 'a;b' }), 400, 'validation-error'],
  ['deploy', deploy({ no_such_option: true }), 400, 'validation-error'],
  ['deploy', { environment: 'production' }, 400, 'empty-environment'],
  ['task', runTask(undefined, { scope: { node_group: ruleless } }), 400, 'empty-target'],
  ['task', runTask(undefined, { scope: { node_group: node } }), 404, 'unknown-node-group'],
  ['task', runTask(undefined, { task: 'demo::none' }), 404, 'unknown-task'],
  ['task', runTask(undefined, { task: '../demo' }), 400, 'validation-error'],
  ['task', runTask(undefined, { environment: 'nowhere' }), 404, 'unknown-environment'],
  ['task', runTask({ action: 'remove' }), 400, 'validation-error'],
  ['deploy', deploy({ scope: undefined, order: [] }), 400, 'validation-error'],
  ['deploy', deploy({ scope: undefined, order: [[node], [node]] }), 400, 'validation-error'],
  ['deploy', deploy({ order: [[node]] }), 400, 'validation-error'],
  ['deploy', deploy({ scope: undefined, order: [[node]], batch: 2 }), 400, 'validation-error'],
  ['deploy', deploy({ batch: '0%' }), 400, 'validation-error'],
  ['task', runTask(undefined, { max_failures: '101%' }), 400, 'validation-error'],
  ['stop', { job: '77' }, 404, 'unknown-job'],
  ['stop', { job: 'x' }, 400, 'validation-error'],
  ['stop', { job: '77', force: 'yes' }, 400, 'validation-error'],
])('%s of %j is refused with %i %s', async (command, body, status, kind) => {
  const answer = await ask(`/command/${command}`, { body });

  expect(answer).toMatchObject({ status, body: { kind: `puppetlabs.orchestrator/${kind}` } });
  expect((await ask('/jobs')).body).toMatchObject({ pagination: { total: 0 } });
});

test('everything that is wrong with the parameters of a task is said, but no value', async () => {
  const { body } = await ask('/command/task', {
    body: runTask({ count: 0, password: ['geheim'], more: true, path: '/any/alias' }),
  });

  const { msg } = body as { readonly msg: string };
  expect(msg).toContain("has no parameter named 'more'");
  expect(msg).toContain("expects a value for parameter 'action'");
  expect(msg).toContain("parameter 'count' expects an Integer[1] value");
  expect(msg).toContain("parameter 'password' expects");
  expect(msg).not.toContain('geheim');
  expect(msg).not.toContain('path');
});

test('what PuppetDB says of a query is passed on', async () => {
  answers = () => 'PQL parse error at line 1';
  const scope = { query: 'nodes {' };

  expect(await ask('/command/deploy', { body: deploy({ scope }) })).toMatchObject({
    status: 400,
    body: { kind: 'puppetlabs.orchestrator/query-error', msg: 'Invalid query: PQL parse error at line 1' },
  });
  answers = () => '[{"name": "x"}]';
  expect((await ask('/command/deploy', { body: deploy({ scope }) })).body['kind']).toBe(
    'puppetlabs.orchestrator/query-error',
  );
  answers = () => {
    throw new ServiceError('unavailable', 'it is away');
  };
  expect((await ask('/command/deploy', { body: deploy({ scope }) })).status).toBe(400);
});

test('permissions decide who may do what', async () => {
  agents.connect(node, recorded('v2-task.json', 'task whose output is not JSON'));
  const status = async (path: string, token: string, body?: object) =>
    (await ask(path, { token, ...(body === undefined ? {} : { body }) })).status;

  expect(await status('/jobs', 'viewer')).toBe(200);
  expect(await status('/jobs', 'stranger')).toBe(403);
  expect(await status('/jobs', 'nobody')).toBe(401);
  expect(await status('/command/deploy', 'viewer', deploy())).toBe(403);
  expect(await status('/command/task', 'viewer', runTask())).toBe(403);
  expect(await status('/command/task', 'tasker', runTask())).toBe(202);
  expect(await status('/command/task', 'tasker', runTask(undefined, { scope: { query: 'nodes {}' } }))).toBe(
    403,
  );
  expect(
    await status('/command/task', 'tasker', runTask(undefined, { scope: { node_group: groupId } })),
  ).toBe(404);
  expect((await ask('/tasks', { token: 'tasker' })).body['items']).toHaveLength(1);
  expect((await ask('/tasks', { token: 'viewer' })).body['items']).toHaveLength(0);
});

test('the inventory says who is connected, and where', async () => {
  agents.connect(node, () => []);
  const connected = {
    name: node,
    connected: true,
    broker: 'pcp://compile1.example.vm/server',
    timestamp: '2026-11-21T09:35:00Z',
  };
  const absent = { name: 'away', connected: false };

  expect((await ask('/inventory')).body).toEqual({ items: [connected] });
  expect((await ask(`/inventory/${node}`)).body).toEqual(connected);
  expect((await ask('/inventory/away')).body).toEqual(absent);
  expect((await ask('/inventory', { body: { nodes: ['away', node] } })).body).toEqual({
    items: [absent, connected],
  });
});

test('tasks are listed, and shown with metadata and files', async () => {
  const id = `${url.replace('http:', 'https:')}/orchestrator/v1/tasks/demo/impl`;

  expect((await ask('/tasks')).body).toEqual({
    environment: { name: 'production', code_id: null },
    items: [{ id, name: 'demo::impl', description: 'Does something' }],
  });
  expect((await ask('/tasks/demo/impl')).body).toMatchObject({
    id,
    name: 'demo::impl',
    metadata: task.metadata,
    files: [{ filename: 'impl.rb', size_bytes: 21 }],
  });
  expect((await ask('/tasks/demo/init')).body['kind']).toBe('puppetlabs.orchestrator/unknown-task');
  expect((await ask('/tasks?environment=nowhere')).status).toBe(404);
});

test('the API tells what there is', async () => {
  for (const path of ['', '/']) expect((await ask(path)).body).toMatchObject({ info: { version: '1' } });
});

/** The requests of `run_task`, `each_event`, `wait` and `stop` of orchestrator_client 0.7, in their order, and what it reads. */
test('the public Ruby client gets what it reads', async () => {
  agents.connect(node, recorded('v2-task.json', 'task whose output is not JSON'));
  const body = {
    task: task.name,
    params: { action: 'install' },
    scope: { nodes: [node] },
    environment: 'production',
  };
  const started = await ask('/command/task', { body });
  const { name } = started.body['job'] as { readonly id: string; readonly name: string };
  await ended(name);

  expect(started).toMatchObject({
    status: 202,
    body: { job: { id: expect.stringContaining(`/jobs/${name}`) } },
  });
  expect((await ask(`/jobs/${name}`)).body['state']).toBe('finished');
  expect((await ask(`/jobs/${name}/report`)).status).toBe(200);
  const { items } = (await ask(`/jobs/${name}/nodes`)).body as { readonly items: readonly JsonObject[] };
  expect(items).toMatchObject([{ name: node, state: 'finished', result: { _output: 'not json\n' } }]);
  const events = (await ask(`/jobs/${name}/events`)).body;
  expect(events['next-events']).toMatchObject({ event: expect.any(String) });
  // It reads events until one of these comes.
  const types = (events['items'] as readonly JsonObject[]).map(({ type }) => type);
  expect(types.some((type) => type === 'job_finished' || type === 'job_aborted')).toBe(true);
  expect((await ask('/jobs?limit=1')).body['items']).toHaveLength(1);
  expect((await ask('/command/stop', { body: { job: name } })).status).toBe(202);
});

test('lists of jobs are cut and ordered', async () => {
  agents.connect(node, recorded('v2-task.json', 'task whose output is not JSON'));
  for (let count = 0; count < 3; count += 1) await run('task', runTask());

  const names = async (query: string) =>
    ((await ask(`/jobs${query}`)).body['items'] as readonly JsonObject[]).map(({ name }) => name);

  expect(await names('')).toEqual(['3', '2', '1']);
  expect(await names('?order_by=timestamp')).toEqual(['1', '2', '3']);
  expect(await names('?limit=1&offset=1&order_by=name&order=asc')).toEqual(['2']);
  expect((await ask('/jobs?limit=2')).body['pagination']).toEqual({ limit: 2, offset: 0, total: 3 });
  expect([await names('?state=finished'), await names('?state=running')]).toEqual([['3', '2', '1'], []]);
  expect((await ask('/jobs?order_by=color')).status).toBe(400);
  expect((await ask('/jobs?state=lost')).status).toBe(400);
  expect((await ask('/jobs/x')).status).toBe(400);
  expect((await ask('/jobs/99')).body).toMatchObject({ kind: 'puppetlabs.orchestrator/unknown-job' });
});

test('a task that is scheduled starts once, at its time', async () => {
  agents.connect(node, recorded('v2-task.json', 'task whose output is not JSON'));
  const later = new Date(nowMs + 60_000).toISOString();
  const body = runTask({ action: 'install', password: 'geheim' }, { scheduled_time: later, noop: true });

  const { body: answer, status } = await ask('/command/schedule_task', { body });
  await scheduled.tick();

  expect(status).toBe(202);
  expect(answer['scheduled_job']).toMatchObject({ name: '1' });
  const listed = await ask('/scheduled_jobs');
  expect(listed.body).toMatchObject({
    items: [
      {
        name: '1',
        type: 'task',
        task: task.name,
        scope: { nodes: [node] },
        environment: 'production',
        owner: { login: 'admin' },
        scheduled_time: '2026-11-21T09:36:00Z',
        noop: true,
      },
    ],
    pagination: { total: 1 },
  });
  expect(JSON.stringify(listed)).not.toContain('geheim');
  expect((await ask('/jobs')).body['items']).toEqual([]);
  nowMs += 60_000;
  await Promise.all([scheduled.tick(), scheduled.tick()]);
  await ended('1');
  expect((await ask('/jobs')).body).toMatchObject({ items: [{ owner: { login: 'admin' } }] });
  expect((await ask('/scheduled_jobs')).body['items']).toEqual([]);
});

test('scheduled tasks are checked at once, belong to somebody, and go with him', async () => {
  const later = new Date(nowMs + 60_000).toISOString();
  const schedule = (more: object, token = 'admin') =>
    ask('/command/schedule_task', { body: { ...runTask(), scheduled_time: later, ...more }, token });

  expect((await schedule({ scheduled_time: new Date(nowMs).toISOString() })).body['kind']).toBe(
    'puppetlabs.orchestrator/invalid-time',
  );
  expect((await schedule({ scheduled_time: 'tomorrow' })).status).toBe(400);
  expect((await schedule({ params: { action: 'no' } })).status).toBe(400);
  expect((await schedule({}, 'viewer')).status).toBe(403);
  expect((await schedule({}, 'tasker')).status).toBe(202);
  expect((await schedule({}, 'other')).status).toBe(202);
  const remove = (id: string, token: string) => ask(`/scheduled_jobs/${id}`, { method: 'DELETE', token });
  expect((await remove('1', 'viewer')).body).toMatchObject({
    kind: 'puppetlabs.orchestrator/not-permitted',
    msg: 'Not authorized to delete job 1',
  });
  expect((await remove('1', 'tasker')).status).toBe(204);
  expect((await remove('1', 'tasker')).status).toBe(404);
  leavers.add('other');
  nowMs += 60_000;
  await scheduled.tick();
  expect((await ask('/scheduled_jobs')).body['items']).toEqual([]);
  expect((await ask('/jobs')).body['items']).toEqual([]);
});

const minute = 60_000;

test('a schedule by cron starts a job each time, once, also when two processes see that it is due', async () => {
  agents.connect(node, recorded('v2-puppet-run.json', 'run with changes'));
  // Now it is 9:35 in UTC, 10:35 in Berlin.
  const schedule_options = { cron: '0 11 * * *', time_zone: 'Europe/Berlin' };
  const { body: added, status } = await ask('/command/schedule_deploy', {
    body: deploy({ schedule_options }),
  });
  expect([status, added['scheduled_job']]).toMatchObject([202, { name: '1' }]);
  const shown = async () => (await ask('/scheduled_jobs/1')).body;
  expect(await shown()).toMatchObject({
    type: 'deploy',
    scope: { nodes: [node] },
    schedule_options,
    next_run: '2026-11-21T10:00:00Z',
    last_run: null,
    enabled: true,
  });

  nowMs += 24 * minute;
  await scheduled.tick();
  expect((await ask('/jobs')).body['items']).toEqual([]);
  nowMs += minute;
  await Promise.all([scheduled.tick(), scheduled.tick()]);
  await ended('1');
  expect(await shown()).toMatchObject({
    next_run: '2026-11-22T10:00:00Z',
    last_run: { time: '2026-11-21T10:00:00Z', job: { name: '1' } },
  });
  // This server was away for two days: what was missed runs once.
  nowMs += 3000 * minute;
  await scheduled.tick();
  await scheduled.tick();
  const { last_run: last, next_run: next } = await shown();
  await ended((last as { readonly job: { readonly name: string } }).job.name);
  expect((await ask('/scheduled_jobs/1/runs')).body).toMatchObject({
    items: [last, { time: '2026-11-21T10:00:00Z', job: { name: '1' } }],
  });
  expect((await ask('/scheduled_jobs/2/runs')).status).toBe(404);
  expect((await ask('/jobs')).body).toMatchObject({ pagination: { total: 2 } });
  expect(next).toBe('2026-11-24T10:00:00Z');
});

test('the next times of a schedule are told before anything is scheduled', async () => {
  const next = async (body: object) => await ask('/scheduled_jobs/next_runs', { body });
  const schedule_options = { cron: '0 11 * * MON', time_zone: 'Europe/Berlin' };

  expect((await next({ schedule_options, count: 2 })).body).toEqual({
    items: ['2026-11-23T10:00:00Z', '2026-11-30T10:00:00Z'],
  });
  expect((await next({ scheduled_time: '2026-12-01T04:00:00Z' })).body).toEqual({
    items: ['2026-12-01T04:00:00Z'],
  });
  expect((await next({ scheduled_time: '2020-12-01T04:00:00Z' })).body['kind']).toBe(
    'puppetlabs.orchestrator/invalid-time',
  );
  expect((await next({ schedule_options: { cron: 'daily' } })).status).toBe(400);
  const interval = { units: 'seconds', value: Number.MAX_SAFE_INTEGER };
  const never = { scheduled_time: '9999-12-31T23:59:59Z', schedule_options: { interval } };
  expect((await next(never)).status).toBe(400);
  const rare = { ...never, schedule_options: { interval: { ...interval, value: 3_155_760_000 } } };
  expect((await next({ ...rare, count: 20 })).body['items']).toHaveLength(20);
});

test('pages learn that something is scheduled, was started, or is gone', async () => {
  let changes = 0;
  const end = scheduled.onChange(() => (changes += 1));
  const schedule_options = { cron: '0 11 * * *' };
  const body = runTask(undefined, { schedule_options });

  await ask('/command/schedule_task', { body });
  expect(changes).toBe(1);
  nowMs += 1440 * minute;
  await scheduled.tick();
  expect(changes).toBe(2);
  await ask('/scheduled_jobs/1', { method: 'DELETE' });
  expect(changes).toBe(3);
  end();
  await ask('/command/schedule_task', { body });
  expect(changes).toBe(3);
});

test('an interval repeats a task, whose secrets are not shown', async () => {
  agents.connect(node, recorded('v2-task.json', 'task whose output is not JSON'));
  const body = runTask(
    { action: 'install', password: 'geheim' },
    {
      scheduled_time: new Date(nowMs + minute).toISOString(),
      schedule_options: { interval: { units: 'seconds', value: 86_400 } },
    },
  );
  await ask('/command/schedule_task', { body });
  nowMs += 2 * minute;
  await scheduled.tick();
  await ended('1');

  const listed = await ask('/scheduled_jobs');
  expect(listed.body).toMatchObject({
    items: [
      {
        task: task.name,
        next_run: '2026-11-22T09:36:00Z',
        scheduled_time: '2026-11-21T09:36:00Z',
        schedule_options: { interval: { units: 'seconds', value: 86_400 } },
      },
    ],
  });
  expect(JSON.stringify(listed)).not.toContain('geheim');
  expect(JSON.stringify((await ask('/scheduled_jobs/environment_jobs')).body)).not.toContain('geheim');
});

test('a scheduled plan runs with its own key each time', async () => {
  const scheduled_time = new Date(nowMs + minute).toISOString();
  const body = { plan_name: 'demo', params: { password: 'geheim', count: 2 }, scheduled_time };
  const interval = { units: 'seconds', value: 3600 };

  expect((await ask('/command/schedule_plan', { body: { ...body, plan_name: 'other' } })).status).toBe(404);
  expect((await ask('/command/schedule_plan', { body, token: 'tasker' })).status).toBe(403);
  await ask('/command/schedule_plan', { body: { ...body, schedule_options: { interval } } });
  nowMs += minute;
  await scheduled.tick();
  nowMs += 60 * minute;
  await scheduled.tick();

  expect(planRuns).toHaveLength(2);
  expect(new Set(planRuns).size).toBe(2);
  const { body: job } = await ask('/scheduled_jobs/environment_jobs/1');
  expect(job).toMatchObject({
    type: 'plan',
    input: { name: 'demo', parameters: { count: 2 }, sensitive_parameters: ['password'] },
    schedule: { start_time: scheduled_time.replace('.000Z', 'Z'), interval },
    last_run: { job: { name: '2' } },
  });
  expect(JSON.stringify(job)).not.toContain('geheim');
});

test('environment jobs are added, listed, disabled and given other times', async () => {
  const list = async (query = '') => {
    const { body } = await ask(`/scheduled_jobs/environment_jobs${query}`);
    return (body['items'] as readonly JsonObject[]).map(({ name }) => name);
  };
  const change = (body: object, token = 'admin') =>
    ask('/scheduled_jobs/environment_jobs/1', { method: 'PUT', body, token });
  const environment = 'production';
  const input = { name: task.name, parameters: { action: 'install' }, scope: { nodes: [node] } };
  const schedule = { cron: '0 4 * * *' };
  const body = { type: 'task', input, environment, schedule, description: 'nightly' };
  const path = '/scheduled_jobs/environment_jobs';
  expect((await ask(path, { body })).body['scheduled_job']).toMatchObject({ name: '1' });
  const run = { type: 'deploy', input: { scope: { nodes: [node] } }, environment };
  const start = new Date(nowMs + minute).toISOString();
  expect(
    (await ask(path, { body: { ...run, schedule: { start_time: start, interval: null } } })).status,
  ).toBe(202);

  expect([await list(), await list('?type=task'), await list('?order_by=name&order=desc')]).toEqual([
    ['2', '1'],
    ['1'],
    ['2', '1'],
  ]);
  expect((await ask(`${path}/1`)).body).toMatchObject({
    description: 'nightly',
    input: { name: task.name, parameters: { action: 'install' }, scope: { nodes: [node] } },
    schedule: { start_time: null, interval: null, cron: '0 4 * * *', time_zone: 'UTC' },
    next_run: { time: '2026-11-22T04:00:00Z' },
    last_run: null,
  });
  expect((await change({ enabled: false }, 'tasker')).status).toBe(403);
  expect((await change({ enabled: false })).status).toBe(200);
  nowMs += 1440 * minute;
  leavers.add('admin');
  await scheduled.tick();
  expect((await ask(`${path}/1`)).body).toMatchObject({ enabled: false, next_run: null, last_run: null });
  expect((await change({ schedule })).body['kind']).toBe('puppetlabs.orchestrator/disabled-scheduled-job');
  expect((await change({ enabled: true, schedule: { cron: '0 5 * * *' } })).status).toBe(200);
  expect((await ask(`${path}/1`)).body).toMatchObject({ next_run: { time: '2026-11-23T05:00:00Z' } });
  // The owner is gone.
  nowMs += 1440 * minute;
  await scheduled.tick();
  expect((await ask(`${path}/1`)).body).toMatchObject({ last_run: { error: 'admin is gone or revoked' } });
});

test.each([
  [
    {
      scheduled_time: '2027-01-01T00:00:00Z',
      schedule_options: { interval: { units: 'seconds', value: 5 } },
    },
  ],
  [{ schedule_options: { interval: { units: 'seconds', value: 60 } } }],
  [{ schedule_options: { cron: '61 * * * *' } }],
  [{ schedule_options: { cron: '0 0 30 2 *' } }],
  [{ schedule_options: { cron: '0 0 * * *', time_zone: 'Mars/Base' } }],
  [{ scheduled_time: '2027-01-01T00:00:00Z', schedule_options: { time_zone: 'UTC' } }],
  [{ schedule_options: { cron: '0 0 * * *', interval: { units: 'seconds', value: 60 } } }],
  [{ scheduled_time: 'tomorrow' }],
  [{}],
])('the schedule %j is refused', async (more) => {
  const { body, status } = await ask('/command/schedule_deploy', { body: deploy(more) });

  expect(status).toBe(400);
  expect(body['kind']).toMatch(/^puppetlabs\.orchestrator\/(validation-error|invalid-time)$/);
});

test('a command runs in the shell of nodes, and its output is the result', async () => {
  agents.connect(node, () => []);
  const body = { command: 'uptime', scope: { nodes: [node] }, concurrency: 2 };

  expect((await ask('/command/run_command', { body, token: 'tasker' })).status).toBe(403);
  const name = await startOrdered('run_command', body, 1);
  answer(node, { exitcode: 2, stdout: 'up', stderr: 'oh' });
  await ended(name);

  expect(agents.sent[0]?.data).toMatchObject({
    module: 'command',
    action: 'run',
    params: { command: 'uptime' },
  });
  expect((await ask(`/jobs/${name}`)).body).toMatchObject({
    command: 'command',
    options: { command: 'uptime' },
  });
  expect((await ask(`/jobs/${name}/nodes`)).body).toMatchObject({
    items: [{ state: 'failed', result: { stdout: 'up', stderr: 'oh', exit_code: 2 } }],
  });
  expect((await ask('/jobs?type=command')).body).toMatchObject({ pagination: { total: 1 } });
});

test('a script is sent along, and is not shown', async () => {
  agents.connect(node, () => []);
  const content = Buffer.from('#!/bin/sh\necho geheim\n').toString('base64');
  const body = { name: 'a.sh', content, arguments: ['x'], scope: { nodes: [node] } };

  const name = await startOrdered('run_script', body, 1);
  answer(node, { exitcode: 0, stdout: 'done' });
  await ended(name);

  expect(agents.sent[0]?.data).toMatchObject({
    module: 'task',
    params: { task: 'bunraku::script', input: { name: 'a.sh', content, arguments: ['x'] } },
  });
  const { body: job } = await ask(`/jobs/${name}`);
  expect(job).toMatchObject({ command: 'script', options: { name: 'a.sh', arguments: ['x'] } });
  expect(JSON.stringify(job)).not.toContain(content);
  expect((await ask(`/jobs/${name}/nodes`)).body).toMatchObject({
    items: [{ state: 'finished', result: { stdout: 'done', exit_code: 0 } }],
  });
});

test.each([
  ['run_command', { command: '', scope: { nodes: [node] } }],
  ['run_command', { command: 'ls', scope: { whole_environment: true } }],
  ['run_script', { name: '../a.sh', content: '', scope: { nodes: [node] } }],
  ['run_script', { name: 'a.sh', content: 'no base64!', scope: { nodes: [node] } }],
])('%s %j is refused', async (command, body) => {
  expect((await ask(`/command/${command}`, { body })).status).toBe(400);
});

test('a task target lets a user run its tasks on its nodes, and on no others', async () => {
  agents.connect(node, recorded('v2-task.json', 'task whose output is not JSON'));
  agents.connect('named.example.vm', recorded('v2-task.json', 'task whose output is not JSON'));
  answers = (query) => JSON.stringify(query === 'some PQL' ? [{ certname: node }] : []);
  const definition = {
    display_name: 'Patching',
    tasks: [task.name],
    nodes: ['named.example.vm'],
    node_groups: [groupId, ruleless],
    pql_query: 'some PQL',
  };
  const run = async (nodes: readonly string[]) =>
    await ask('/command/task', { body: runTask(undefined, { scope: { nodes } }), token: 'constrained' });

  expect((await run([node])).status).toBe(403);
  expect((await ask('/command/task_target', { body: definition, token: 'tasker' })).status).toBe(403);
  const added = await ask('/command/task_target', { body: definition });
  const { body: tasks } = await ask('/tasks', { token: 'constrained' });
  const { body: started } = await run([node, 'other.example.vm', 'named.example.vm']);
  const { name } = started['job'] as { readonly name: string };
  await ended(name);

  expect([added.status, added.body]).toMatchObject([200, { task_target: { name: '1' } }]);
  expect(tasks['items']).toMatchObject([{ name: task.name }]);
  const { body: nodes } = await ask(`/jobs/${name}/nodes`);
  expect((nodes['items'] as readonly JsonObject[]).map((each) => each['name'])).toEqual([
    node,
    'named.example.vm',
  ]);
  expect((await run(['other.example.vm'])).body['kind']).toBe('puppetlabs.orchestrator/not-permitted');
  expect((await ask('/scopes/task_targets/1')).body).toMatchObject({
    ...definition,
    all_tasks: false,
    name: '1',
  });
  const remove = (token: string) => ask('/scopes/task_targets/1', { method: 'DELETE', token });
  expect((await remove('constrained')).status).toBe(403);
  expect((await remove('admin')).status).toBe(204);
  expect((await ask('/scopes/task_targets')).body).toEqual({ items: [] });
  expect((await ask('/scopes/task_targets/1')).body['kind']).toBe(
    'puppetlabs.orchestrator/unknown-task-target',
  );
  expect((await run([node])).status).toBe(403);
});

test.each([
  [{ tasks: ['a'] }],
  [{ display_name: 'x' }],
  [{ display_name: 'x', tasks: [] }],
  [{ display_name: 'x', all_tasks: 'true' }],
  [{ display_name: 'x', all_tasks: true, nodes: [3] }],
])('the task target %j is refused', async (body) => {
  expect((await ask('/command/task_target', { body })).body['kind']).toBe(
    'puppetlabs.orchestrator/validation-error',
  );
});

test('usage has the nodes of each day, counted once', async () => {
  await usage.tick();
  nodeCount = 9;
  await usage.tick();
  nowMs += 1440 * minute;

  const day = (date: string, count: number) => ({
    date,
    total_nodes: count,
    nodes_with_agent: count,
    nodes_without_agent: 0,
  });
  expect((await ask('/usage')).body).toEqual({
    items: [day('2026-11-22', 9), day('2026-11-21', 7)],
    pagination: {},
  });
  expect((await ask('/usage?start_date=2026-11-01&end_date=2026-11-21')).body).toEqual({
    items: [day('2026-11-21', 7)],
    pagination: { start_date: '2026-11-01', end_date: '2026-11-21' },
  });
  expect((await ask('/usage?start_date=2026-11-22&end_date=2026-11-21')).status).toBe(400);
  expect((await ask('/usage?start_date=today')).status).toBe(400);
});

/** What an agent says of a program that wrote this. */
const wrote =
  (stdout: string, exitcode = 0): Script =>
  ({ transaction_id: id = '' }, messageType) =>
    messageType.endsWith('rpc_non_blocking_request')
      ? [
          {
            messageType: 'http://puppetlabs.com/rpc_non_blocking_response',
            data: { transaction_id: id, results: { exitcode, stdout, stderr: '' } },
          },
        ]
      : [];

test.each<[string, 'run_command' | 'task', string, number]>([
  ['a task whose output is the result', 'task', JSON.stringify({ list: Array(20_000).fill('\u00e9\n') }), 0],
  ['a task whose output is text', 'task', 'line \u00e9\n'.repeat(40_000), 0],
  ['a task that failed', 'task', 'went wrong \n'.repeat(20_000), 3],
  [
    'a task that says itself what went wrong',
    'task',
    JSON.stringify({ _error: { msg: 'no'.repeat(50_000) } }),
    0,
  ],
  ['a command', 'run_command', 'x'.repeat(300_000), 1],
])('a large result that a thread has read is the same: %s', async (_case, command, stdout, exitcode) => {
  const body = command === 'task' ? runTask() : { command: 'x', scope: { nodes: [node] } };
  agents.connect(node, wrote(stdout, exitcode));
  const resultOf = async (): Promise<JsonObject> => {
    const { body: started } = await ask(`/command/${command}`, { body });
    const { name } = started['job'] as { readonly name: string };
    await ended(name);
    const { body: events } = await ask(`/jobs/${name}/events`);
    return { ...(await nodeOf(name)), 'latest-event-id': '', events: withoutIds(events['items'] as never) };
  };
  const read = await resultOf();
  agents.readsElsewhere = true;

  const readElsewhere = await resultOf();

  expect(JSON.stringify(read['result']).length).toBeGreaterThan(64 * 1024);
  expect({ ...readElsewhere, ...times }).toEqual({ ...read, ...times });
  expect(
    await database.read({
      parts: ['select length(large_result) as length from orchestrator_nodes order by job_id'],
      values: [],
    }),
  ).toEqual([{ length: null }, { length: Buffer.byteLength(JSON.stringify(read['result'])) }]);
});

const times = { start_timestamp: '', finish_timestamp: '', timestamp: '', duration: 0 };

function withoutIds(events: readonly JsonObject[]): readonly JsonObject[] {
  return events
    .filter(({ type }) => type !== 'job_finished')
    .map(({ id: _id, timestamp: _timestamp, ...event }) => event);
}

test('nodes and events of a job are all there where there are more than are read at once', async () => {
  const names = Array.from({ length: 700 }, (_, index) => `n${String(index).padStart(4, '0')}.example.vm`);
  for (const [index, name] of names.entries())
    agents.connect(name, wrote(`${index} ${'x'.repeat(index * 4)}`));
  agents.readsElsewhere = true;

  const job = await run('task', runTask(undefined, { scope: { nodes: names } }));
  const { body } = await ask(`/jobs/${job}/nodes?order_by=name&order=desc`);
  const { body: events } = await ask(`/jobs/${job}/events`);
  const streamed = await fetch(`${url}/orchestrator/v1/jobs/${job}/events`, {
    headers: { 'x-authentication': 'admin', accept: 'text/event-stream' },
  });

  const items = body['items'] as readonly JsonObject[];
  expect(items.map(({ name }) => name)).toEqual(names.toReversed());
  expect(items.map(({ result }) => (result as JsonObject)['_output'])).toEqual(
    names.map((_, index) => `${index} ${'x'.repeat(index * 4)}`).toReversed(),
  );
  const told = events['items'] as readonly JsonObject[];
  // Each has begun and ended, and the job has ended.
  expect(told).toHaveLength(2 * names.length + 1);
  const last = Number(told.at(-1)?.['id']);
  expect(events['next-events']).toMatchObject({ event: String(last + 1) });
  expect(body['next-events']).toEqual(events['next-events']);
  expect((await streamed.text()).match(/^id: /gm)).toHaveLength(told.length);
  const latest = new Map(told.map(({ details, id }) => [(details as JsonObject)['node'], Number(id)]));
  expect(items.every((item) => item['latest-event-id'] === latest.get(String(item['name'])))).toBe(true);
});
