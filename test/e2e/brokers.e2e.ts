/** Brokers on the primary and on compile servers, with PXP agents: jobs reach a node wherever its connection is. */

import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../demo/ports.ts';
import { HttpClient } from '../../src/platform/http-client/index.ts';
import { scenarios } from './support/requirements.ts';
import { runningSite } from './support/site.ts';
import { until } from './support/until.ts';

const certname = 'node1.e2e.test';
const jobsPort = await freePort();
const brokerPorts = [await freePort(), await freePort(), await freePort()] as const;
/** Ours, or a C++ pxp-agent to compare with. */
const program = process.env['PXP_AGENT'];

scenarios('Brokers', () => {
  const site = runningSite({ settings: { orchestrator_port: jobsPort }, brokers: brokerPorts }, (created) => {
    created.stage({ 'modules/demo/tasks/init.sh': '#!/bin/sh\necho "{\\"said\\": \\"$PT_message\\"}"\n' });
  });
  let agent: ChildProcess | undefined;

  const ask = async (method: string, path: string, body?: unknown) => {
    const client = site().installation.operator();
    try {
      const answer = await client.send({
        method,
        url: `https://localhost:${jobsPort}/orchestrator/v1${path}`,
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return JSON.parse(answer.body.toString('utf8')) as Record<string, unknown>;
    } finally {
      client.close();
    }
  };
  const broker = async () => {
    const { items } = await ask('POST', '/inventory', { nodes: [certname] }).catch(() => ({ items: [] }));
    return (items as { readonly broker?: string }[])[0]?.broker;
  };
  const isAt = (name: string) =>
    until(`the node is at ${name}`, async () => (await broker()) === `pcp://${name}.bunraku.test/server`);
  const runTask = async (message: string) => {
    const { job } = (await ask('POST', '/command/task', {
      task: 'demo',
      params: { message },
      scope: { nodes: [certname] },
    })) as { readonly job: { readonly name: string } };
    const { items } = await until('the task has ended', async () => {
      const { state } = await ask('GET', `/jobs/${job.name}`);
      return ['finished', 'failed'].includes(String(state)) && ask('GET', `/jobs/${job.name}/nodes`);
    });
    const [node] = items as { readonly state: string; readonly result: unknown }[];
    return [node?.state, node?.result];
  };
  const statusOf = async (index: number, path: string) => {
    const client = new HttpClient({});
    try {
      const url = `${site().installation.compileServerUrl(index)}/status/v1/${path}`;
      const { body, status } = await client.send({ method: 'GET', url });
      return `${status} ${body.toString('utf8')}`;
    } finally {
      client.close();
    }
  };

  beforeAll(async () => {
    // Whether it changes something depends on what earlier runs left on the machine.
    expect((await site().agent(certname).run()).complaints).toEqual([]);
    agent = startPxpAgent(site().directory, site().agent(certname).sslDirectory, {
      'broker-ws-uris': [brokerPorts[1], brokerPorts[2]].map((port) => `wss://localhost:${port}/pcp2/`),
      'master-uris': [site().installation.compileServerUrl(1)],
    });
  });
  afterAll(() => void agent?.kill('SIGKILL'));

  test('of compile servers join a node with the orchestrator', async () => {
    await isAt('compile1');

    expect(await runTask('one')).toEqual(['finished', { said: 'one' }]);
    expect(await statusOf(0, 'simple/broker-service')).toBe('200 running');
  });

  test('that die lose their nodes to the next one of the list', async () => {
    await site().installation.compileServers[0]?.kill();

    await isAt('compile2');

    expect(await runTask('two')).toEqual(['finished', { said: 'two' }]);
  });

  test('that lose the orchestrator say so, while catalogs are served; then all goes on', async () => {
    await site().installation.primary?.kill();

    await until(
      'the broker says so',
      async () => (await statusOf(1, 'simple/broker-service')) === '503 error',
    );
    expect(await statusOf(1, 'simple')).toBe('200 running');
    await site().installation.startPrimary();
    await isAt('compile2');

    expect(await runTask('three')).toEqual(['finished', { said: 'three' }]);
    expect(await statusOf(1, 'simple/broker-service')).toBe('200 running');
  });

  test('throw a node out as soon as its certificate is revoked', async () => {
    await site().installation.bunraku([
      'ca',
      'revoke',
      '--certname',
      certname,
      '--data',
      site().installation.primaryDirectory,
    ]);

    await until('the node is gone', async () => (await broker()) === undefined);
  });
});

function startPxpAgent(
  directory: string,
  ssl: string,
  settings: Readonly<Record<string, unknown>>,
): ChildProcess {
  const path = (...names: string[]) => join(directory, 'pxp-agent', ...names);
  for (const name of ['modules', 'modules-config', 'spool', 'cache'])
    mkdirSync(path(name), { recursive: true });
  const conf = {
    'pcp-version': '2',
    'ssl-ca-cert': join(ssl, 'certs', 'ca.pem'),
    'ssl-cert': join(ssl, 'certs', `${certname}.pem`),
    'ssl-key': join(ssl, 'private_keys', `${certname}.pem`),
    'ssl-crl': join(ssl, 'crl.pem'),
    'spool-dir': path('spool'),
    'task-cache-dir': path('cache'),
    'modules-dir': path('modules'),
    'modules-config-dir': path('modules-config'),
    logfile: program === undefined ? '-' : path('agent.log'),
    ...settings,
  };
  writeFileSync(path('pxp-agent.conf'), JSON.stringify(conf));
  const ours = ['ruby', join(import.meta.dirname, '..', '..', 'agent', 'bin', 'pxp-agent')];
  const [command = '', ...args] = program === undefined ? ours : [program];
  const child = spawn(command, [...args, '--foreground', '--config-file', path('pxp-agent.conf')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(path('output.log'));
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  return child;
}
