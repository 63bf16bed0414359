/**
 * A node with a real Puppet agent and a PXP agent: tasks, commands' ends and Puppet runs by the API of the orchestrator. The
 * same with a C++ pxp-agent where `PXP_AGENT` names one.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { freePort } from '../../demo/ports.ts';
import { HttpClient } from '../../src/platform/http-client/index.ts';
import { scenarios } from './support/requirements.ts';
import { runningSite, type Site } from './support/site.ts';
import { until } from './support/until.ts';

const [usersPort, jobsPort, brokerPort] = [await freePort(), await freePort(), await freePort()];
const password = 'correct horse';
const other = process.env['PXP_AGENT'];
if (other === undefined) console.warn('SKIPPED: the C++ pxp-agent beside ours: PXP_AGENT names none');

const tasks = {
  'modules/demo/tasks/init.sh': '#!/bin/sh\necho "{\\"said\\": \\"$PT_message\\"}"\n',
  'modules/demo/tasks/init.json': '{"parameters":{"message":{"type":"String[1]"}}}',
  'modules/demo/tasks/fail.sh': '#!/bin/sh\necho problem >&2\nexit 2\n',
  'modules/demo/tasks/slow.sh':
    '#!/bin/sh\necho begun >> "$PT_begun"\nuntil [ -e "$PT_go" ]; do sleep 0.1; done\necho late\n',
  'modules/demo/tasks/slow.json': '{"parameters":{"begun":{"type":"String"},"go":{"type":"String"}}}',
  'modules/demo/tasks/several.sh': '#!/bin/sh\ncat "$PT__installdir/demo/files/more.txt"\n',
  'modules/demo/tasks/several.json': '{"files":["demo/files/more.txt"]}',
  'modules/demo/files/more.txt': 'more\n',
  'modules/demo/lib/facter/demo_word.rb': "Facter.add(:demo_word) { setcode { 'custom' } }\n",
  'modules/demo/manifests/init.pp':
    'class demo ($path) { file { $path: source => "puppet:///modules/demo/more.txt" } }',
  'modules/demo/plans/init.pp': `plan demo(TargetSpec $targets, String $destination) {
  $targets.apply_prep
  $text = 'of the plan'
  $applied = apply($targets) {
    class { 'demo': path => "\${destination}.copy" }
    file { $destination: content => "\${text} \${facts['demo_word']} \${trusted['certname']}\n" }
  }
  $again = apply($targets, '_noop' => true) { file { $destination: content => 'other' } }
  $failed = apply($targets, '_catch_errors' => true) { exec { '/bin/false': } }
  return [$applied.first.message, $again.first.message, $failed.first.error.kind, $failed.first.report['status']]
}
`,
};

scenarios('A node with a PXP agent', () => {
  const settings = {
    node_terminus: 'classifier',
    console_services_port: usersPort,
    orchestrator_port: jobsPort,
    pcp_broker_port: brokerPort,
  };
  // The C++ agent applies blocks with a program that only knows this port of servers.
  const primaryPort = other === undefined ? {} : { primaryPort: 8140 };
  const site = runningSite({ compileServers: 0, settings, ...primaryPort }, (created) =>
    created.stage(tasks),
  );
  const token = { text: '' };

  beforeAll(async () => {
    token.text = await newToken(site());
  });

  describe('of ours', () =>
    scenariosOf('ours.e2e.test', [join(inject('project'), 'agent', 'bin', 'start')], true));
  describe.skipIf(other === undefined)('in C++ (PXP_AGENT names one)', () =>
    scenariosOf('theirs.e2e.test', [other ?? ''], false),
  );

  function scenariosOf(certname: string, program: readonly string[], isOurs: boolean): void {
    const node = { running: undefined as PxpAgent | undefined };
    beforeAll(async () => {
      await site().agent(certname, site().installation.options.ports.primary).runsCleanly(2);
      node.running = new PxpAgent(site(), certname, program);
      node.running.start();
      await until('the agent is connected', async () => {
        const { body } = await ask('GET', `/inventory/${certname}`);
        return body['connected'] === true;
      });
    });
    afterAll(async () => {
      await node.running?.stop();
    });

    test('runs a task, and says what it said', async () => {
      expect(await outcome('task', { task: 'demo', params: { message: 'hello' } })).toMatchObject({
        state: 'finished',
        result: { said: 'hello' },
      });
    });

    test('runs a task of several files', async () => {
      expect(await outcome('task', { task: 'demo::several', params: {} })).toMatchObject({
        state: 'finished',
        result: { _output: 'more\n' },
      });
    });

    test('says that a task failed', async () => {
      expect(await outcome('task', { task: 'demo::fail', params: {} })).toMatchObject({
        state: 'failed',
        result: { _error: { kind: 'puppetlabs.tasks/task-error', details: { exitcode: 2 } } },
      });
    });

    test('runs Puppet, with a report that names the job', async () => {
      const { job, ...found } = await outcome('deploy', {});

      expect(found).toMatchObject({ state: 'finished', result: { environment: 'production' } });
      const rows = await site().puppetDb(
        `reports[status, job_id] { certname = "${certname}" and job_id = "${job}" }`,
      );
      expect(rows).toHaveLength(1);
    });

    test('applies the blocks of a plan', async () => {
      const path = join(site().directory, `${certname}.applied`);
      const order = { plan_name: 'demo', params: { targets: [certname], destination: path } };
      const started = await ask('POST', '/command/plan_run', order);

      let plan: Readonly<Record<string, unknown>> = {};
      await until('the plan has ended', async () => {
        plan = (await ask('GET', `/plan_jobs/${String(started.body['name'])}`)).body;
        return plan['state'] !== 'running';
      });

      expect(plan).toMatchObject({
        state: 'success',
        result: [
          'changed: 2, failed: 0, unchanged: 0 skipped: 0, noop: 0',
          'changed: 0, failed: 0, unchanged: 1 skipped: 0, noop: 1',
          'bolt/resource-failure',
          'failed',
        ],
      });
      expect(readFileSync(path, 'utf8')).toBe(`of the plan custom ${certname}\n`);
      expect(readFileSync(`${path}.copy`, 'utf8')).toBe('more\n');
    });

    test('is stopped in the middle of a task, and the next agent tells its end; it runs once', async () => {
      const [begun, go] = ['begun', 'go'].map((name) => join(site().directory, `${certname}.${name}`));
      const ended = outcome('task', { task: 'demo::slow', params: { begun, go } });
      await until('the task has begun', () => existsSync(begun ?? ''));
      await node.running?.stop();
      node.running?.start();
      await until(
        'the agent is back',
        async () => (await ask('GET', `/inventory/${certname}`)).body['connected'] === true,
      );

      writeFileSync(go ?? '', '');

      // The C++ agent tells it only when it is asked.
      expect(await ended).toMatchObject({ state: 'finished', result: { _output: 'late\n' } });
      expect(readFileSync(begun ?? '', 'utf8')).toBe('begun\n');
      if (isOurs) expect(node.running?.log).toContain('which an earlier agent began');
    });

    /** Starts a job on the node, and waits for its end. */
    async function outcome(command: string, order: Readonly<Record<string, unknown>>) {
      const scope = { nodes: [certname] };
      const started = await ask('POST', `/command/${command}`, {
        environment: 'production',
        scope,
        ...order,
      });
      expect(started.status, JSON.stringify(started.body)).toBe(202);
      const { name } = started.body['job'] as { name: string };
      let item: Readonly<Record<string, unknown>> = {};
      await until('the job has ended', async () => {
        const { body } = await ask('GET', `/jobs/${name}/nodes`);
        [item = {}] = body['items'] as Readonly<Record<string, unknown>>[];
        return ['finished', 'failed', 'errored', 'skipped'].includes(String(item['state']));
      });
      return { job: name, ...item };
    }
  }

  async function ask(method: string, path: string, body?: unknown) {
    const client = new HttpClient({ ca: readFileSync(caOf(site()), 'utf8') });
    try {
      const answer = await client.send({
        method,
        url: `https://localhost:${jobsPort}/orchestrator/v1${path}`,
        headers: { 'content-type': 'application/json', 'x-authentication': token.text },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return {
        status: answer.status,
        body: JSON.parse(answer.body.toString('utf8')) as Record<string, unknown>,
      };
    } finally {
      client.close();
    }
  }
});

/** A PXP agent with the certificate of a node's Puppet agent. */
class PxpAgent {
  private readonly directory: string;
  private readonly program: readonly string[];
  private child: ChildProcess | undefined;
  private output = '';

  constructor(site: Site, certname: string, program: readonly string[]) {
    const agent = join(site.directory, 'agents', certname);
    this.directory = join(agent, 'pxp');
    this.program = program;
    for (const name of ['spool', 'cache', 'modules', 'modules-config'])
      mkdirSync(join(this.directory, name), { recursive: true });
    const places = ['conf', 'var', 'ssl', 'public', 'log', 'run'].map(
      (name) => `--${name}dir ${join(agent, name)}`,
    );
    const target = `--server localhost --serverport ${site.installation.options.ports.primary} --certname ${certname}`;
    // As it would find it on a machine of its own.
    writeFileSync(
      join(this.directory, 'puppet'),
      `#!/bin/sh\nexec puppet "$@" ${target} ${places.join(' ')}\n`,
    );
    chmodSync(join(this.directory, 'puppet'), 0o755);
    const module = JSON.stringify({ puppet_bin: join(this.directory, 'puppet') });
    writeFileSync(join(this.directory, 'modules-config', 'pxp-module-puppet.conf'), module);
    writeFileSync(
      join(this.directory, 'pxp-agent.conf'),
      JSON.stringify(this.settings(site, certname, agent)),
    );
  }

  get log(): string {
    return this.output;
  }

  start(): void {
    const [command = '', ...args] = this.program;
    const options = ['--foreground', '--config-file', join(this.directory, 'pxp-agent.conf')];
    const child = spawn(command, [...args, ...options], {
      cwd: '/',
      env: { ...process.env, LANG: 'C.UTF-8' },
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        this.output += chunk.toString('utf8');
      });
    this.child = child;
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }

  private settings(site: Site, certname: string, agent: string) {
    const ssl = join(agent, 'ssl');
    return {
      'broker-ws-uris': [`wss://localhost:${brokerPort}/pcp2/`],
      'pcp-version': '2',
      'master-uris': [`https://localhost:${site.installation.options.ports.primary}`],
      'ssl-ca-cert': join(ssl, 'certs', 'ca.pem'),
      'ssl-cert': join(ssl, 'certs', `${certname}.pem`),
      'ssl-key': join(ssl, 'private_keys', `${certname}.pem`),
      'ssl-crl': join(ssl, 'crl.pem'),
      'spool-dir': join(this.directory, 'spool'),
      'task-cache-dir': join(this.directory, 'cache'),
      'modules-dir': process.env['PXP_AGENT_MODULES'] ?? join(this.directory, 'modules'),
      'modules-config-dir': join(this.directory, 'modules-config'),
      logfile: '-',
      loglevel: 'debug',
    };
  }
}

function caOf(site: Site): string {
  return join(site.installation.primaryDirectory, 'puppet', 'ssl', 'certs', 'ca.pem');
}

async function newToken(site: Site): Promise<string> {
  const { node, project } = site.installation.options;
  const create = [
    'user',
    'create',
    'ada',
    '--role',
    'administrators',
    '--data',
    site.installation.primaryDirectory,
  ];
  spawnSync(node, [join(project, 'dist', 'main.js'), ...create], { input: `${password}\n` });
  const client = new HttpClient({ ca: readFileSync(caOf(site), 'utf8') });
  const answer = await client.send({
    method: 'POST',
    url: `https://localhost:${usersPort}/rbac-api/v1/auth/token`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: 'ada', password }),
  });
  client.close();
  return (JSON.parse(answer.body.toString('utf8')) as { token: string }).token;
}
