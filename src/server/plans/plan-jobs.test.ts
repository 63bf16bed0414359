/** Plans by the API, on agents that are only pretended. */

import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { builtWorker } from '../../../test/support/built-worker.ts';
import { checkedRoutes } from '../../../test/support/checked-routes.ts';
import { defaultLanguageSettings } from '../../language/environment/index.ts';
import type { JsonObject } from '../../lib/json.ts';
import { changeMigrations } from '../../platform/changes/index.ts';
import { createHttpServer, type HttpServer } from '../../platform/http/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { type Database, migrate, openDirectDatabase, sql } from '../../platform/storage/index.ts';
import {
  type AgentLink,
  DatabaseTaskTargets,
  JobRunner,
  JobStore,
  Orchestrator,
  orchestratorMigrations,
  Targets,
  TaskTargets,
} from '../../services/orchestrator/index.ts';
import {
  PlanJobStore,
  PlanJobs,
  PlanRunner,
  planMigrations,
  planRoutes,
} from '../../services/plans/index.ts';
import { workerFile } from '../worker-files.ts';
import { planActions } from './plan-actions.ts';

type PlanTasks = Parameters<typeof planActions>[0]['tasks'];

const logical = '/code/environments/production';
const prefix = 'http://puppetlabs.com/';

let directory: string;
let database: Database;
let runner: JobRunner;
let jobs: PlanJobs;
let http: HttpServer;
let url: string;
let ticks: NodeJS.Timeout;
/** What agents were asked, and what they answer. */
let requests: JsonObject[];
let answer: (request: JsonObject) => JsonObject;
let ids = 0;
/** Destinations that were emptied. */
const cleared: string[] = [];
const downloads = {
  clear(destination: string) {
    cleared.push(destination);
    return Promise.resolve();
  },
};

const policy = {
  /** Nodes that are not connected are given up at once. */
  disconnectedMs: 0,
  disconnectedAfterRestartMs: 0,
  answerMs: 10_000,
  quietMs: 60_000,
  silentMs: 300_000,
  mostDeliveries: 5,
  reportRetryMs: 500,
  mostReportTries: 3,
};

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-plan-jobs-'));
  database = await openDirectDatabase({ kind: 'sqlite', path: join(directory, 'database.sqlite') }, 'writer');
  await migrate(database, [...changeMigrations, ...orchestratorMigrations, ...planMigrations]);
  requests = [];
  policy.disconnectedMs = 0;
  answer = () => ({ exitcode: 0, stdout: 'done', stderr: '' });
  ({ runner, jobs } = openServices());
  await runner.start();
  ticks = setInterval(() => void runner.tick(), 50);
  http = createHttpServer({
    routes: checkedRoutes(
      planRoutes({
        jobs,
        findNodes: ({ type, value }) => Promise.resolve([`of ${type}`, value]),
        allow: { kind: 'permission', permission: { objectType: 'orchestrator', action: 'view' } },
        authority: () => 'primary.example.vm:8143',
      }),
    ),
    authorization: { rules: [], allowHeaderCertInfo: false },
    authenticate: (token, address) => {
      // `runner` may run `m` alone.
      const permits = ({ instance, objectType }: { objectType: string; instance?: string | undefined }) =>
        token === 'admin' || objectType === 'orchestrator' || (objectType === 'plans' && instance === 'm');
      return Promise.resolve({ kind: 'user', id: `id of ${token}`, login: token, permits, address });
    },
    log: silentLogger,
  });
  url = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}/orchestrator/v1`;
});

afterEach(async () => {
  clearInterval(ticks);
  await jobs.close();
  await runner.close();
  await http.drain(100);
  await database.close();
  rmSync(directory, { recursive: true });
});

function taskNamed(name: string): Awaited<ReturnType<PlanTasks['task']>> {
  if (name === 'm::broken')
    return { kind: 'invalid', issue: { kind: 'k', message: 'Could not find module x', details: {} } };
  if (/^bunraku::(?:write_file|resources|script)$/.test(name))
    return { kind: 'found', value: { name, metadata: {}, files: [] } };
  if (name !== 'm::job') return { kind: 'not-in-module' };
  const parameters = { password: { type: 'String', sensitive: true }, n: { type: 'Integer' } };
  const file = { filename: 'job.sh', sha256: 'aa', sizeBytes: 1, uri: { path: '/job.sh', params: {} } };
  return { kind: 'found', value: { name, metadata: { parameters }, files: [file] } };
}

/** On the database that there is: those of a process that starts. */
function openServices(): { readonly runner: JobRunner; readonly jobs: PlanJobs } {
  const link = agentLink();
  const store = new JobStore(database, { close: (text) => text, open: (text) => text });
  const ownRunner = new JobRunner({
    store,
    link,
    findReport: () => Promise.resolve(undefined),
    policy,
    limits: { deploy: 8, task: 250 },
    nowMs: () => Date.now(),
    newId: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
    pause: () => Promise.resolve(),
    log: silentLogger,
  });
  const tasks = {
    tasks: () => Promise.resolve([]),
    task: (_environment: string, name: string) => Promise.resolve(taskNamed(name)),
  };
  const targets = new Targets({
    query: undefined,
    findGroup: () => undefined,
    findConnectionGroup: () => undefined,
    servers: () => [],
  });
  const nowMs = () => Date.now();
  const orchestrator = new Orchestrator({
    store,
    runner: ownRunner,
    link,
    targets,
    taskTargets: new TaskTargets({
      store: new DatabaseTaskTargets(database),
      targets,
      nowMs,
      newId: randomUUID,
    }),
    tasks,
    hasEnvironment: () => true,
    nowMs: () => Date.now(),
  });
  return { runner: ownRunner, jobs: planJobs({ orchestrator, tasks, puppetDb: undefined, code, downloads }) };
}

/** The process ends at once, and another one starts. */
async function crash(): Promise<void> {
  await runner.close();
  const next = openServices();
  ({ runner } = next);
  await runner.start();
  await next.jobs.start();
}

const code = {
  acquire: () => ({
    source: {
      key: 'one',
      physicalDirectory: directory,
      config: {
        name: 'production',
        directory: logical,
        modulepath: [`${logical}/modules`],
        manifest: `${logical}/manifests`,
        configVersion: 1,
        codeId: null,
        settings: defaultLanguageSettings,
      },
    },
    hasStaticCatalogs: false,
    release: () => undefined,
  }),
};

function planJobs(termini: Parameters<typeof planActions>[0]): PlanJobs {
  return new PlanJobs({
    store: new PlanJobStore(database),
    runner: new PlanRunner({
      code,
      workerUrl: builtWorker(workerFile('plan-worker')),
      threadData: { commands: [], timeoutSeconds: 10, memoryBytes: 2 ** 29 },
      maxHeapMiB: 256,
      log: silentLogger,
    }),
    plans: {
      plans: (environment) => Promise.resolve(environment === 'production' ? ['m', 'm::other'] : undefined),
    },
    actionsOf: (job, owner) => planActions(termini, job, owner),
    inventory: () => ({
      transport: 'pcp',
      all: { groups: [{ name: 'db', targets: ['db1.example.vm', 'db2.example.vm'] }] },
    }),
    openJobsOf: (job) => termini.orchestrator.openJobsOf(job),
    nowMs: () => Date.now(),
    log: silentLogger,
  });
}

/** All nodes but `gone` are connected, and answer at once. */
function agentLink(): AgentLink {
  let tell: Parameters<AgentLink['listen']>[0] | undefined;
  return {
    connection: (name) =>
      name === 'gone'
        ? undefined
        : { broker: name.startsWith('ssh') ? `ssh://${name}:22` : 'pcp://primary/server', since: new Date() },
    connections: () => [],
    expectedUntil: () => undefined,
    send(certname, messageType, data) {
      if (certname === 'gone') return Promise.resolve('not-connected');
      if (messageType === `${prefix}rpc_non_blocking_request`) {
        const request = data as JsonObject;
        requests.push(request);
        const results = answer(request);
        const body = { transaction_id: request['transaction_id'] ?? '', results };
        // `mute` begins and does not end.
        const kind = certname === 'mute' ? 'rpc_provisional_response' : 'rpc_non_blocking_response';
        setImmediate(() => tell?.message(certname, { id: 'x', messageType: `${prefix}${kind}`, data: body }));
      }
      return Promise.resolve('sent');
    },
    listen(listener) {
      tell = listener;
      return () => (tell = undefined);
    },
  };
}

function write(path: string, text: string): void {
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

async function ask(
  method: string,
  path: string,
  body?: object,
  token = 'admin',
): Promise<{ readonly status: number; readonly body: JsonObject }> {
  const response = await fetch(url + path, {
    method,
    headers: { 'x-authentication': token },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as JsonObject };
}

async function finished(name: unknown): Promise<JsonObject> {
  for (;;) {
    const { body } = await ask('GET', `/plan_jobs/${String(name)}`);
    if (body['state'] !== 'running') return body;
    await sleep(20);
  }
}

test('a plan runs commands, scripts and tasks as jobs, and its result is kept', async () => {
  write('modules/m/files/x.sh', 'content');
  write(
    'modules/m/plans/init.pp',
    `plan m(TargetSpec $targets, Sensitive[String] $password, String $long) {
      out::message($long)
      $c = run_command('echo $A', $targets, 'say', '_env_vars' => { 'A' => "it's" })
      $s = run_script('m/x.sh', $targets, 'arguments' => ['one'])
      upload_file('m/x.sh', '/tmp/x', $targets)
      $t = run_task('m::job', $targets, 'password' => $password.unwrap, 'n' => 1, '_catch_errors' => true)
      $none = run_command('x', 'gone', '_catch_errors' => true)
      run_plan('m::inner')
      return [$c.first['stdout'], $s.first['exit_code'], $t.first.error.msg, $none.first.error.kind]
    }`,
  );
  write('modules/m/plans/inner.pp', 'plan m::inner() { }');
  answer = ({ module }) =>
    module === 'task'
      ? { exitcode: 1, stdout: '{"_error": {"msg": "no", "kind": "k", "details": {}}}', stderr: '' }
      : { exitcode: 0, stdout: 'done', stderr: '' };
  const params = { targets: ['a.example.vm', 'b.example.vm'], password: 'hush', long: 'ä'.repeat(2000) };

  const told: number[] = [];
  jobs.onChange((id) => told.push(id));

  const started = await ask('POST', '/command/plan_run', { plan_name: 'm', params, description: 'try' });
  const job = await finished(started.body['name']);

  expect(started).toEqual({ status: 202, body: { name: '1' } });
  expect(job).toMatchObject({
    name: '1',
    state: 'success',
    result: ['done', 0, 'no', 'puppetlabs.orchestrator/execution-failure'],
    owner: { id: 'id of admin', login: 'admin' },
    options: { plan_name: 'm', description: 'try', parameters: { targets: params.targets } },
  });
  expect(JSON.stringify(job)).not.toContain('hush');
  const { body: events } = await ask('GET', '/plan_jobs/1/events');
  const items = events['items'] as readonly JsonObject[];
  expect(new Set(told)).toEqual(new Set([1]));
  // The beginning, and each event; that of the end may still come.
  expect(told.length).toBeGreaterThanOrEqual(items.length);
  expect(items.map(({ type }) => type)).toEqual([
    'out_message',
    'command_start',
    'script_start',
    'upload_start',
    'task_start',
    'command_start',
    'plan_start',
    'plan_end',
    'plan_finished',
  ]);
  expect(items[1]).toMatchObject({ details: { 'job-id': '1' } });
  expect(items[0]).toMatchObject({ details: { message: 'ä'.repeat(512) } });
  const whole = await ask('GET', `/plan_jobs/1/event/${String(items[0]?.['id'])}`);
  expect(whole.body).toMatchObject({ details: { message: 'ä'.repeat(2000) } });
  expect(requests.map(({ module, params: given }) => [module, given])).toEqual(
    [
      ['command', { command: String.raw`export A='it'\''s'; echo $A` }],
      ['script', { script: expect.objectContaining({ filename: 'x.sh' }), arguments: ['one'] }],
      ['file', { files: [expect.objectContaining({ destination: '/tmp/x', kind: 'file' })] }],
      ['task', expect.objectContaining({ task: 'm::job', input: { password: 'hush', n: 1 } })],
    ].flatMap((each) => [each, each]),
  );
  const stored = await database.read(sql`select definition from orchestrator_jobs`);
  expect(stored).toHaveLength(5);
  expect(JSON.stringify(stored)).not.toContain('hush');
});

test('parameters may stand for the nodes of a query or of a group', async () => {
  write('modules/m/plans/init.pp', 'plan m($a, $b, $count) { return [$a, $b, $count] }');
  const params = {
    a: { type: 'query', value: 'nodes[certname] { }' },
    b: { type: 'node_group', value: 'an id' },
    count: { value: 3 },
  };

  const { body } = await ask('POST', '/command/environment_plan_run', { plan_name: 'm', params });
  const job = await finished(body['name']);

  expect(job['result']).toEqual([['of query', 'nodes[certname] { }'], ['of node_group', 'an id'], 3]);
  const run = (one: object) =>
    ask('POST', '/command/environment_plan_run', { plan_name: 'm', params: { a: one } });
  expect((await run({ type: 'other', value: 'x' })).status).toBe(400);
  expect((await run({ type: 'query', value: 3 })).status).toBe(400);
  expect((await run({})).status).toBe(400);
  const other = { plan_name: 'm::other', params: {} };
  expect((await ask('POST', '/command/environment_plan_run', other, 'runner')).status).toBe(403);
});

test('who may run one plan may run no other', async () => {
  write('modules/m/plans/other.pp', 'plan m::other() { return 1 }');

  const refused = await ask('POST', '/command/plan_run', { plan_name: 'm::other', params: {} }, 'runner');
  const listed = await ask('GET', '/plans', undefined, 'runner');

  expect(refused).toMatchObject({ status: 403, body: { kind: 'puppetlabs.orchestrator/not-permitted' } });
  expect(listed.body['items']).toMatchObject([
    { name: 'm', permitted: true },
    { name: 'm::other', permitted: false },
  ]);
});

test('a plan is shown with its parameters', async () => {
  write(
    'modules/m/plans/init.pp',
    `# @summary Does it.
    # @param targets where
    plan m(TargetSpec $targets, Integer[1, 5] $count = 1 + 2, Sensitive $key = Sensitive('x')) { }`,
  );

  const { body } = await ask('GET', '/plans/m/init');

  expect(body).toMatchObject({
    name: 'm',
    metadata: {
      description: 'Does it.',
      parameters: {
        targets: { type: 'TargetSpec', description: 'where', sensitive: false },
        count: { type: 'Integer[1, 5]', default_value: '1 + 2' },
        key: { type: 'Sensitive', sensitive: true },
      },
    },
  });
});

test('what is wrong with a request is said by its kind', async () => {
  write('modules/m/plans/init.pp', 'plan m() { return 1 ');
  const run = (body: object) => ask('POST', '/command/plan_run', body);

  expect(await run({ plan_name: 'm::nope' })).toMatchObject({
    status: 404,
    body: { kind: 'puppetlabs.orchestrator/unknown-plan' },
  });
  expect(await run({ plan_name: 'm', environment: 'nowhere' })).toMatchObject({
    status: 404,
    body: { kind: 'puppetlabs.orchestrator/unknown-environment' },
  });
  expect(await run({ plan_name: 'm' })).toMatchObject({
    status: 400,
    body: { kind: 'puppetlabs.orchestrator/validation-error', msg: expect.stringContaining('Syntax error') },
  });
  expect(await run({ plan_name: 'M' })).toMatchObject({ status: 400 });
  expect(await ask('GET', '/plan_jobs/7')).toMatchObject({
    status: 404,
    body: { kind: 'puppetlabs.orchestrator/unknown-plan-job' },
  });
});

test('a plan that is stopped says so', async () => {
  write('modules/m/plans/init.pp', 'plan m() { ctrl::sleep(600) }');

  const { body } = await ask('POST', '/command/plan_run', { plan_name: 'm' });
  await ask('POST', '/command/stop_plan', { plan_job: body['name'] });

  expect(await finished(body['name'])).toMatchObject({
    state: 'failure',
    result: { msg: 'The plan was stopped by admin' },
  });
});

test('a plan that a restart interrupts has failed and names its jobs; what has not begun never does', async () => {
  write('modules/m/plans/init.pp', 'plan m() { run_command("id", ["mute", "gone"]) }');
  policy.disconnectedMs = 60_000;
  const { body } = await ask('POST', '/command/plan_run', { plan_name: 'm' });
  const name = String(body['name']);
  while (requests.length === 0) await sleep(20);

  await crash();

  expect(await finished(name)).toMatchObject({
    state: 'failure',
    result: {
      kind: 'puppetlabs.orchestrator/plan-interrupted',
      msg: 'The plan was interrupted: the orchestrator was restarted. Job 1 goes on where nodes have begun',
      details: { jobs: ['1'] },
    },
  });
  const [job] = await database.read(sql`select state from orchestrator_jobs where id = 1`);
  const nodes = await database.read(
    sql`select certname, state from orchestrator_nodes where job_id = 1 order by certname`,
  );
  expect(job).toEqual({ state: 'stopping' });
  expect(nodes).toEqual([
    { certname: 'gone', state: 'skipped' },
    { certname: 'mute', state: 'running' },
  ]);
  const [gone] = await database.read(
    sql`select outcome from orchestrator_nodes where job_id = 1 and certname = 'gone'`,
  );
  expect(gone?.['outcome']).toContain('not started because the plan was interrupted by a restart');
  await sleep(200);
  expect(requests).toHaveLength(1);
});

test('a block is compiled for each target, and each agent applies its own catalog', async () => {
  write('modules/m/manifests/init.pp', 'class m ($text = "of a class") { notify { $text: } }');
  write(
    'modules/m/plans/init.pp',
    `plan m(TargetSpec $targets) {
      $targets.apply_prep
      $text = 'of the plan'
      $results = apply($targets, '_noop' => true, '_catch_errors' => true) {
        include m
        notify { "\${text} \${facts['role']} \${trusted['certname']}": }
        if $facts['role'] == 'c' { fail('not here') }
      }
      return $results.map |$r| { [$r.ok, $r.message, $r.error] }
    }`,
  );
  const statuses = (requested: JsonObject) => {
    const { catalog } = requested['params'] as { catalog: { resources: { type: string; title: string }[] } };
    const notifies = catalog.resources.filter(({ type }) => type === 'Notify');
    return Object.fromEntries(notifies.map(({ title }) => [`Notify[${title}]`, { failed: false }]));
  };
  let count = 0;
  answer = (request) => {
    if (request['action'] === 'prep') {
      count += 1;
      return { exitcode: 0, stdout: JSON.stringify({ role: ['a', 'b', 'c'][count - 1] }) };
    }
    const metrics = {
      resources: { values: [['total', 'Total', 9] as const, ['changed', 'Changed', 2] as const] },
    };
    const report = { status: 'changed', metrics, resource_statuses: statuses(request) };
    return { exitcode: 0, stdout: JSON.stringify(report) };
  };

  const { body } = await ask('POST', '/command/plan_run', {
    plan_name: 'm',
    params: { targets: ['a.example.vm', 'b.example.vm', 'c.example.vm'] },
  });
  const job = await finished(body['name']);

  const message = 'changed: 2, failed: 0, unchanged: 7 skipped: 0, noop: -2';
  expect(job).toMatchObject({
    state: 'success',
    result: [
      [true, message, null],
      [true, message, null],
      [
        false,
        null,
        {
          kind: 'bolt/apply-error',
          msg: expect.stringMatching(/^Apply failed to compile for c.example.vm: not here /),
        },
      ],
    ],
  });
  expect(requests.map(({ module, action, params }) => [module, action, params])).toEqual([
    ...['a', 'b', 'c'].map(() => ['apply', 'prep', { environment: 'production' }]),
    ...['a', 'b'].map((role) => [
      'apply',
      'apply',
      {
        catalog: expect.objectContaining({ name: `${role}.example.vm`, environment: 'production' }),
        apply_options: { noop: true },
      },
    ]),
  ]);
  expect(requests.slice(3).map((request) => Object.keys(statuses(request)))).toEqual(
    ['a', 'b'].map((role) => ['Notify[of a class]', `Notify[of the plan ${role} ${role}.example.vm]`]),
  );
  const { body: events } = await ask('GET', '/plan_jobs/1/events');
  const types = (events['items'] as readonly JsonObject[]).map(({ type }) => type);
  expect(types).toEqual(['apply_start', 'apply_start', 'plan_finished']);
  const stored = await database.read(sql`select request from orchestrator_jobs where type = 'plan_apply'`);
  expect(JSON.stringify(stored)).not.toContain('of the plan');
});

test('a plan writes text, uploads directories and asks for resources', async () => {
  writeFileSync(join(directory, 'outside.bin'), Buffer.from([0, 255]));
  write('modules/m/files/tree/a.txt', 'a');
  write('modules/m/files/tree/below/b.txt', 'b');
  write(
    'modules/m/plans/init.pp',
    `plan m() {
      write_file("hush\\n", '/tmp/x', 'a.example.vm')
      upload_file('m/tree', '/tmp/tree/', 'a.example.vm')
      upload_file('${join(directory, 'outside.bin')}', '/tmp/y', 'a.example.vm')
      return get_resources('a.example.vm', [User, 'File[/tmp]']).first['resources']
    }`,
  );
  answer = ({ module }) => ({ exitcode: 0, stdout: module === 'task' ? '{"resources": [1]}' : 'downloaded' });

  const { body } = await ask('POST', '/command/plan_run', { plan_name: 'm' });
  const job = await finished(body['name']);

  expect(job).toMatchObject({ state: 'success', result: [1] });
  const [written, uploaded, outside, found] = requests.map(({ params }) => params as JsonObject);
  expect(written).toMatchObject({
    task: 'bunraku::write_file',
    input: {
      path: Buffer.from('/tmp/x').toString('base64'),
      content: Buffer.from('hush\n').toString('base64'),
    },
  });
  const files = uploaded?.['files'] as readonly JsonObject[];
  expect(files.map(({ destination, kind, uri }) => [kind, destination, (uri as JsonObject)['path']])).toEqual(
    [
      ['directory', '/tmp/tree/', ''],
      ['file', '/tmp/tree/a.txt', '/puppet/v3/file_content/modules/m/tree/a.txt'],
      ['directory', '/tmp/tree/below', ''],
      ['file', '/tmp/tree/below/b.txt', '/puppet/v3/file_content/modules/m/tree/below/b.txt'],
    ],
  );
  expect(outside).toMatchObject({ task: 'bunraku::write_file', input: { content: 'AP8=' } });
  expect(found).toMatchObject({ task: 'bunraku::resources', input: { resources: ['User', 'File[/tmp]'] } });
  const stored = await database.read(sql`select definition from orchestrator_jobs`);
  expect(JSON.stringify(stored)).not.toContain(Buffer.from('hush\n').toString('base64'));
});

test('files are downloaded from nodes that are reached by SSH, and from no others', async () => {
  write(
    'modules/m/plans/init.pp',
    `plan m() {
      $r = download_file('/etc/motd', ' got/here ', ['a.example.vm', 'ssh1', 'gone', 'ssh2'], '_catch_errors' => true)
      $none = download_file('/x', 'y', 'a.example.vm', 'of an agent', '_catch_errors' => true)
      return [
        $r.map |$each| { [$each.target.name, $each['path'], $each.error.then |$e| { [$e.kind, $e.msg] }] },
        $none.first.error.msg,
        catch_errors() || { download_file('/etc/motd', 'd', ['ssh1', 'ssh2']) }.msg,
      ]
    }`,
  );
  const value = { path: '/downloads/got/here/ssh1/motd', _output: 'Downloaded' };
  answer = ({ params }) =>
    (params as JsonObject)['destination'] === 'd'
      ? { exitcode: 2, stdout: '', stderr: 'tar: no such file\n' }
      : { exitcode: 0, stdout: JSON.stringify(value), stderr: '' };

  const { body } = await ask('POST', '/command/plan_run', { plan_name: 'm' });
  const job = await finished(body['name']);

  const refused = ['bolt/not-supported-error', 'pcp transport does not support downloading files'];
  expect(job).toMatchObject({
    state: 'success',
    result: [
      [
        ['a.example.vm', null, refused],
        ['ssh1', value.path, null],
        ['gone', null, refused],
        ['ssh2', value.path, null],
      ],
      refused[1],
      "download_file '/etc/motd' failed on 2 targets",
    ],
  });
  expect(cleared).toEqual(['got/here', 'y', 'd']);
  expect(requests.map(({ action, module, params }) => [module, action, params])).toEqual(
    ['got/here', 'got/here', 'd', 'd'].map((destination) => [
      'file',
      'collect',
      { source: '/etc/motd', destination },
    ]),
  );
  const { body: events } = await ask('GET', '/plan_jobs/1/events');
  expect((events['items'] as readonly JsonObject[]).map(({ type }) => type)).toEqual([
    'download_start',
    'download_start',
    'download_start',
    'plan_finished',
  ]);
});

test('targets may be groups of connections, and queries', async () => {
  write(
    'modules/m/plans/init.pp',
    `plan m() { return [get_targets('db').map |$t| { $t.name }, run_command('id', 'db').targets.map |$t| { $t.name }] }`,
  );

  const { body } = await ask('POST', '/command/plan_run', { plan_name: 'm' });

  const names = ['db1.example.vm', 'db2.example.vm'];
  expect(await finished(body['name'])).toMatchObject({ state: 'success', result: [names, names] });
});

test('a script with variables, or from outside of the files of modules, is sent along', async () => {
  write('modules/m/files/x.sh', 'in a module');
  write('modules/m/facts.d/y.sh', 'elsewhere');
  write(
    'modules/m/plans/init.pp',
    `plan m() {
      run_script('m/x.sh', 'a.example.vm', '_env_vars' => { 'A' => 'b c' }, 'arguments' => ['one'])
      run_script('m/facts.d/y.sh', 'a.example.vm')
    }`,
  );

  const { body } = await ask('POST', '/command/plan_run', { plan_name: 'm' });

  expect(await finished(body['name'])).toMatchObject({ state: 'success' });
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  expect(requests.map(({ params }) => (params as JsonObject)['input'])).toEqual([
    { name: 'x.sh', content: base64('in a module'), arguments: ['one'], variables: { A: 'b c' } },
    { name: 'y.sh', content: base64('elsewhere'), arguments: [], variables: {} },
  ]);
});

test('a task whose files cannot be found is said to lack them, not to be unknown', async () => {
  write('modules/m/plans/init.pp', "plan m() { run_task('m::broken', 'a.example.vm') }");

  const { body } = await ask('POST', '/command/plan_run', { plan_name: 'm' });

  expect(await finished(body['name'])).toMatchObject({
    state: 'failure',
    result: { msg: 'Could not find module x' },
  });
});
