/** Jobs by the API and on the command line; they survive a restart of the primary. */

import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../demo/ports.ts';
import { HttpClient } from '../../src/platform/http-client/index.ts';
import { startSshServer } from '../support/ssh-server.ts';
import { PxpAgent } from './support/pxp-agent.ts';
import { scenarios } from './support/requirements.ts';
import { runningSite } from './support/site.ts';

import { until } from './support/until.ts';

const [usersPort, jobsPort, brokerPort] = [await freePort(), await freePort(), await freePort()];
const password = 'correct horse';
const away = 'away.e2e.test';

interface RanJob {
  readonly name: string;
  readonly items: readonly { readonly result: { readonly hash: string } }[];
}

// Tests in which a node is away come before the first restart: after one, nodes have two minutes to come back.
scenarios('Jobs', () => {
  const settings = {
    node_terminus: 'classifier',
    console_services_port: usersPort,
    orchestrator_port: jobsPort,
    pcp_broker_port: brokerPort,
    pcp_timeout: '8s',
  };
  const site = runningSite({ compileServers: 0, settings }, (created) => {
    created.stage({
      'modules/demo/tasks/init.sh': '#!/bin/sh\necho "{\\"said\\": \\"$PT_message\\"}"\n',
      'modules/demo/tasks/slow.sh':
        '#!/bin/sh\necho begun >> "$PT_file"\nsleep 4\necho ended >> "$PT_file"\necho done\n',
      'modules/demo/plans/init.pp': `# @summary Asks a node that is away
plan demo(TargetSpec $targets, Integer $count = 2) {
  out::message("asks \${count} times")
  $results = parallelize([1, $count]) |$round| {
    run_command("echo \${round}", $targets, '_catch_errors' => true).first.error.kind
  }
  return $results
}
`,
      'modules/demo/plans/fetch.pp': `plan demo::fetch(TargetSpec $targets, String $source) {
  $result = download_file($source, 'fetched', $targets).first
  return [$result['path'], file::read($result['path'])]
}
`,
      'modules/demo/tasks/init.json': JSON.stringify({
        description: 'Says something',
        parameters: { message: { type: 'String[1]' } },
      }),
    });
  });

  const bunraku = async (args: readonly string[], input = '') => {
    const { node, project } = site().installation.options;
    const child = spawn(node, [join(project, 'dist', 'main.js'), ...args], {
      env: { ...process.env, HOME: site().directory },
    });
    child.stdin.end(input);
    const ended = new Promise<number | null>((resolve) => {
      child.on('close', resolve);
    });
    const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { out, err, code };
  };
  const onPrimary = (args: readonly string[], input = '') =>
    bunraku([...args, '--data', site().installation.primaryDirectory], input);
  const jobs = (...args: readonly string[]) =>
    onPrimary([...args, '--service-url', `https://localhost:${jobsPort}/orchestrator/v1`]);

  const ask = async (method: string, path: string, token: string, body?: unknown) => {
    const ca = readFileSync(
      join(site().installation.primaryDirectory, 'puppet', 'ssl', 'certs', 'ca.pem'),
      'utf8',
    );
    const client = new HttpClient({ ca });
    try {
      const answer = await client.send({
        method,
        url: `https://localhost:${jobsPort}/orchestrator/v1${path}`,
        headers: { 'content-type': 'application/json', 'x-authentication': token },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return {
        status: answer.status,
        body: JSON.parse(answer.body.toString('utf8')) as Record<string, unknown>,
      };
    } finally {
      client.close();
    }
  };

  test('are run, shown and listed on the command line', async () => {
    const batches = ['--nodes', `${away},later.e2e.test`, '--batch', '1'];
    const ran = await jobs('task', 'run', 'demo', 'message=hello', ...batches);

    expect(ran.err).toBe('');
    expect(ran.out).toContain(`Error running task demo on ${away}: ${away} is not connected`);
    const [, name = ''] = /^New job: (\d+)$/m.exec(ran.out) ?? [];
    expect(ran.out).toContain('Skipped task demo on later.e2e.test: not started because 1 node failed');
    expect(ran.out).toContain(`Job ${name} failed: 0 of 2 nodes succeeded, 1 could not be run, 1 skipped`);
    expect(ran.code).toBe(1);
    expect((await jobs('job', 'show', name)).out).toContain(`${away}: errored`);
    expect((await jobs('job', 'list')).out).toMatch(
      new RegExp(`^${name} +failed +task demo +production +2 `, 'm'),
    );
    expect((await jobs('task', 'list')).out.split('\n')).toContain('demo');
    expect((await jobs('task', 'show', 'demo')).out).toBe('demo - Says something\n- message : String[1]\n');
    expect((await jobs('inventory', away)).out).toMatch(/^away\.e2e\.test +no/m);
    const nightly = ['--cron', '0 4 * * *', '--time-zone', 'Europe/Berlin'];
    const scheduled = await jobs('task', 'run', 'demo', 'message=hello', '--nodes', away, ...nightly);
    expect(scheduled.out).toMatch(/^Scheduled job 1: starts at \d{4}-\d\d-\d\dT0[23]:00:00Z\n$/);
    expect((await jobs('schedule', 'disable', '1')).out).toBe('Scheduled job 1 is disabled\n');
    expect((await jobs('schedule', 'list')).out).toMatch(
      /^1 +disabled +0 4 \* \* \* \(Europe\/Berlin\) +task demo +production /m,
    );
    expect((await jobs('schedule', 'delete', '1')).code).toBe(0);
    const wrong = await jobs('task', 'run', 'demo', 'mesage=hello', '--nodes', away);
    expect(wrong.err).toContain("has no parameter named 'mesage'");
    expect(wrong.err).toContain("expects a value for parameter 'message'");
    const format = ['--format', 'json'];
    expect(JSON.parse((await jobs('job', 'show', name, ...format)).out)).toMatchObject({
      name,
      state: 'failed',
    });
  });

  test('reach a node without an agent by SSH', async () => {
    const sshd = await startSshServer(site().directory);
    onTestFinished(() => void sshd.process.kill());
    const place = ['--host', '127.0.0.1', '--port', String(sshd.port)];
    const login = ['--user', userInfo().username, '--key', sshd.key];

    const added = await jobs('connection', 'add', 'ssh.e2e.test', ...login, ...place);
    const task = await jobs('task', 'run', 'demo', 'message=by SSH', '--nodes', 'ssh.e2e.test');
    writeFileSync(join(site().directory, 'of-node.txt'), 'of the node');
    const source = `source=${join(site().directory, 'of-node.txt')}`;
    const fetched = await jobs('plan', 'run', 'demo::fetch', 'targets=ssh.e2e.test', source);
    const refused = await jobs('plan', 'run', 'demo::fetch', `targets=${away}`, source);
    const deleted = await jobs('connection', 'delete', 'ssh.e2e.test');

    expect(fetched.out).toContain('Started download, job ');
    expect(fetched.out).toContain('downloads/fetched/ssh.e2e.test/of-node.txt');
    expect(fetched.out).toContain('"of the node"');
    expect(refused.out).toContain('failed on 1 target');
    expect([fetched.code, refused.code]).toEqual([0, 1]);
    expect(added).toMatchObject({ code: 0, err: '' });
    expect(task.out).toContain('"said": "by SSH"');
    expect([task.code, deleted.code]).toEqual([0, 0]);
  });

  test('of plans run in the background, and say what came of them', async () => {
    const listed = await jobs('plan', 'list');
    const shown = await jobs('plan', 'show', 'demo');
    const ran = await jobs('plan', 'run', 'demo', `targets=${away}`);
    const refused = await jobs('plan', 'run', 'demo', 'targets=3', 'count=x');

    expect(listed.out).toContain('demo\n');
    expect(shown.out).toBe(
      'demo - Asks a node that is away\n- targets : TargetSpec\n- count : Integer = 2\n',
    );
    expect(ran.out).toContain('asks 2 times\nStarted command, job ');
    expect(ran.out).toContain('puppetlabs.orchestrator/execution-failure');
    expect(ran.code).toBe(0);
    expect(refused.out).toContain("The plan has failed: demo:\n  parameter 'targets' expects");
    expect(refused.code).toBe(1);
  });

  test('are started with a token, and survive a restart of the primary', async () => {
    await onPrimary(['user', 'create', 'ada', '--role', 'administrators'], password);
    const ca = join(site().installation.primaryDirectory, 'puppet', 'ssl', 'certs', 'ca.pem');
    const service = ['--service-url', `https://localhost:${usersPort}/rbac-api`];
    const login = await bunraku(
      ['access', 'login', 'ada', '--print', '--ca-cert', ca, ...service],
      `${password}\n`,
    );
    const token = login.out.trim();
    const order = { environment: 'production', scope: { nodes: [away] } };

    const started = await ask('POST', '/command/deploy', token, order);
    const { name } = started.body['job'] as { readonly name: string };
    await site().installation.primary?.stop();
    await site().installation.startPrimary();

    expect(started.status).toBe(202);
    expect((await ask('GET', `/jobs/${name}`, token)).body).toMatchObject({
      state: 'ready',
      owner: { login: 'ada' },
    });
    expect((await ask('GET', '/inventory', token)).body).toEqual({ items: [] });
    expect((await ask('POST', '/command/stop', token, { job: name })).body).toMatchObject({
      job: { nodes: { skipped: 1 } },
    });
    expect((await ask('GET', `/jobs/${name}`, token)).body).toMatchObject({ state: 'stopped' });
    const onServers = { environment: '', enforce_environment: false, order: 'infrastructure' };
    const ordered = await ask('POST', '/command/deploy', token, onServers);
    const { name: next } = ordered.body['job'] as { readonly name: string };
    expect((await ask('GET', `/jobs/${next}`, token)).body).toMatchObject({
      options: { order: [['primary.bunraku.test']] },
    });
    await ask('POST', '/command/stop', token, { job: next });
  });

  test('run Puppet and tasks on a node with an agent, once each, whatever becomes of the primary', async () => {
    const { installation, directory } = site();
    const agent = site().agent('node.e2e.test', installation.options.ports.primary);
    await agent.run();
    const pxp = new PxpAgent(agent, {
      brokers: [`wss://localhost:${brokerPort}/pcp2/`],
      server: `https://localhost:${installation.options.ports.primary}`,
    });
    onTestFinished(() => pxp.stop());
    await pxp.start();
    await until('the node is connected', async () => (await jobs('inventory', agent.certname)).code === 0);

    const task = await jobs('task', 'run', 'demo', 'message=hello', '--nodes', agent.certname);
    const script = join(directory, 'args.sh');
    writeFileSync(script, '#!/bin/sh\necho "script got $1"\n');
    const [run, ...others] = await Promise.all([
      jobs('job', 'run', '--order', agent.certname, '--format', 'json'),
      jobs('task', 'run', 'package', 'action=status', 'name=bash', '--nodes', agent.certname),
      jobs('command', 'run', 'echo "it is $((40 + 2))"', '--nodes', agent.certname),
      jobs('script', 'run', script, 'a word', '--nodes', agent.certname),
    ]);
    const file = join(directory, 'slow');
    const slow = jobs('task', 'run', 'demo::slow', `file=${file}`, '--nodes', agent.certname);
    await until('the task runs', () => existsSync(file));
    await installation.primary?.stop();
    await installation.startPrimary();
    const survived = await slow;

    expect(task, pxp.log).toMatchObject({ code: 0, err: '' });
    expect(task.out).toContain('"said": "hello"');
    expect(others[0].out, pxp.log).toMatch(/"status": "(up to date|out of date)"/);
    expect(others[1].out, pxp.log).toContain('it is 42');
    expect(others[2].out, pxp.log).toContain('script got a word');
    const job = JSON.parse(run.out) as RanJob;
    expect(job, pxp.log).toMatchObject({ state: 'finished', items: [{ state: 'finished' }] });
    const reports = await site().puppetDb('reports[hash, job_id] { job_id is not null }');
    expect(reports).toEqual([{ hash: job.items[0]?.result.hash, job_id: job.name }]);
    // The command waited for the primary to come back.
    expect(survived, pxp.log).toMatchObject({ code: 0 });
    expect(survived.out).toContain('done');
    expect(readFileSync(file, 'utf8')).toBe('begun\nended\n');
  });
});
