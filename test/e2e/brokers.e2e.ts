/** Brokers on the primary and on compile servers, with PXP agents: jobs reach a node wherever its connection is. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { processUse } from '../../bench/process-use.ts';
import { freePort } from '../../demo/ports.ts';
import { HttpClient } from '../../src/platform/http-client/index.ts';
import { signedBy } from './support/callers.ts';
import { run } from './support/joining.ts';
import { oddClient, protocolsOfAgents, protocolsOfBrokers, sendOddFrames } from './support/odd-frames.ts';
import { PxpAgent } from './support/pxp-agent.ts';
import { scenarios } from './support/requirements.ts';
import { runningSite } from './support/site.ts';
import { until } from './support/until.ts';

const certname = 'node1.e2e.test';
const jobsPort = await freePort();
const brokerPorts = [await freePort(), await freePort(), await freePort()] as const;
/** How many damaged messages are sent. */
const oddMessages = Number(process.env['BUNRAKU_ODD_MESSAGES'] ?? 2000);
const brokersAt = (...ports: readonly number[]) => ports.map((port) => `wss://localhost:${port}/pcp2/`);

scenarios('Brokers', () => {
  const site = runningSite({ settings: { orchestrator_port: jobsPort }, brokers: brokerPorts }, (created) => {
    created.stage({
      'modules/demo/tasks/init.sh': '#!/bin/sh\necho "{\\"said\\": \\"$PT_message\\"}"\n',
      // Whether the run on a server succeeds is for a file to say.
      'manifests/site.pp': `node /[.]bunraku[.]test$/ {
  exec { "/bin/sh -c 'sleep 1; test ! -e ${created.directory}/fail.\${trusted['certname']}'": }
}
node default {}
`,
    });
  });
  let agent: PxpAgent | undefined;

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
  const brokersOf = async (...nodes: readonly string[]) => {
    const { items } = await ask('POST', '/inventory', { nodes }).catch(() => ({ items: [] }));
    return (items as { readonly broker?: string }[]).map(({ broker }) => broker);
  };
  const broker = async () => (await brokersOf(certname))[0];
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
    await site().agent(certname).runsCleanly(0);
    agent = new PxpAgent(site().agent(certname), {
      brokers: brokersAt(brokerPorts[1], brokerPorts[2]),
      server: site().installation.compileServerUrl(1),
    });
    await agent.start();
  });
  afterAll(() => agent?.stop());

  test('of compile servers join a node with the orchestrator', async () => {
    await isAt('compile1');

    expect(await runTask('one')).toEqual(['finished', { said: 'one' }]);
    expect(await statusOf(0, 'simple/broker-service')).toBe('200 running');
  });

  test('take Puppet runs to the servers themselves, the primary last and only when the others succeed', async () => {
    const servers = ['compile1', 'compile2', 'primary'] as const;
    const [first, second, last] = servers.map((name) => `${name}.bunraku.test`) as [string, string, string];
    const own = { compile1: brokerPorts[1], compile2: brokerPorts[2], primary: brokerPorts[0] };
    for (const name of servers) {
      const server = site().installation.primaryUrl;
      const pxp = new PxpAgent(site().agentOf(name), { brokers: brokersAt(own[name]), server });
      onTestFinished(() => pxp.stop());
      await pxp.start();
    }
    await until('the servers are connected', async () => {
      const found = await brokersOf(first, second, last);
      return found.length === 3 && !found.includes(undefined);
    });
    const runInOrder = async (...order: readonly string[]) => {
      const url = `https://localhost:${jobsPort}/orchestrator/v1`;
      const words = ['--service-url', url, '--data', site().installation.primaryDirectory];
      const { exitCode, output } = await run(site(), ['job', 'run', ...order, ...words]);
      const [, job = ''] = /^New job: (\d+)$/m.exec(output) ?? [];
      const query = `reports[certname, status, start_time, end_time] { job_id = "${job}" order by start_time }`;
      return { exitCode, output, reports: (await site().puppetDb(query)) as readonly Report[] };
    };

    const whole = await runInOrder('--infrastructure');
    writeFileSync(join(site().directory, `fail.${second}`), '');
    const stopped = await runInOrder('--order', second, '--order', last);

    expect(whole, whole.output).toMatchObject({ exitCode: 0 });
    expect(whole.reports.map(({ status }) => status)).toEqual(['changed', 'changed', 'changed']);
    const [, , ofPrimary] = whole.reports;
    expect(ofPrimary?.certname).toBe(last);
    for (const report of whole.reports.slice(0, 2))
      expect(Date.parse(report.end_time)).toBeLessThanOrEqual(Date.parse(ofPrimary?.start_time ?? ''));
    expect(stopped, stopped.output).toMatchObject({ exitCode: 1 });
    expect(stopped.output).toContain(`Error running puppet on ${second}: the run has failed resources`);
    expect(stopped.output).toContain(`Skipped puppet run on ${last}: not started because 1 node failed`);
    expect(stopped.reports.map(({ certname: name }) => name)).toEqual([second]);
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

  test('outlive what no agent sends, and their orchestrator what no broker sends', async () => {
    const { pid } = site().installation.primary ?? { pid: 0 };
    const node = await signedBy(site(), oddClient);
    // The server of that name is away.
    const server = site().agentOf('compile1').credentials();
    const send = async (share: number, seed: number) => {
      const count = Math.ceil((oddMessages * share) / 2);
      const [ofNode, ofServer] = [
        { client: node, protocols: protocolsOfAgents, count, seed },
        { client: server, protocols: protocolsOfBrokers, count, seed },
      ];
      return [await sendOddFrames(brokerPorts[0], ofNode), await sendOddFrames(jobsPort, ofServer)];
    };
    const before = site().logOf('primary').length;

    const first = await send(0.2, 1);
    const { residentMiB } = processUse(pid);
    const rest = await send(0.8, 2);
    const grownMiB = processUse(pid).residentMiB - residentMiB;

    console.log(
      `${oddMessages} odd messages: ${JSON.stringify(rest)}, ${grownMiB.toFixed(1)} MiB more resident`,
    );
    const sound = { refused: 0, hanging: 0 };
    expect([...first, ...rest]).toMatchObject([sound, sound, sound, sound]);
    expect(rest[0]?.errors).toBeGreaterThan(0);
    expect(grownMiB).toBeLessThan(100);
    expect(await runTask('four')).toEqual(['finished', { said: 'four' }]);
    const lines = site().logOf('primary').slice(before);
    expect(lines.some(({ msg }) => msg === 'broker sent something that is not a message')).toBe(true);
    expect(lines.filter(({ level }) => level === 'error' || level === 'none')).toEqual([]);
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

type Report = Readonly<Record<'certname' | 'status' | 'start_time' | 'end_time', string>>;
