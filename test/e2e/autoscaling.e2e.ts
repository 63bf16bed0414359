/** Compile servers that come when there is work and go when there is none: the local driver, the real HAProxy, real agents. */

import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { CatalogLoad, loadManifest } from '../../demo/catalog-load.ts';
import { freePort } from '../../demo/ports.ts';
import type { Agent } from './support/agent.ts';
import { fetchCatalog, notifications } from './support/catalog-request.ts';
import { eyamlData, makeEyamlKeys } from './support/eyaml.ts';
import { LoopingAgents } from './support/looping-agents.ts';
import { scenarios } from './support/requirements.ts';
import { ServerPool } from './support/server-pool.ts';
import { runningSite } from './support/site.ts';
import { until } from './support/until.ts';

const localPort = await freePort();
/** A node of the load keeps a worker busy for so long; all together keep 4.5 workers busy, of the two of each server. */
const [loadNodes, loadIntervalMs] = [20, 8888];
/** Opened with a key that stands on the primary alone. */
const secret = 'notify { "from the pool: ${lookup(\'secret\')}": }';
const expected = 'from the pool: of the key';
const manifest = `${secret}\n${loadManifest(2)}node default {}\n`;

scenarios('A pool of compile servers', () => {
  const site = runningSite(
    {
      compileServers: 0,
      isAutoscaled: true,
      poolLacks: 'keys',
      settings: {
        autoscaler_driver: 'local',
        // Half an hour is 90 seconds.
        autoscaler_time_lapse: 20,
        autoscaler_local_port: localPort,
        autoscaler_local_settings: 'compile_workers=2,drain_delay=2s',
        autoscaler_local_grace: '20s',
      },
    },
    (prepared) => {
      const keys = makeEyamlKeys(join(prepared.directory, 'keys'));
      prepared.stage({ 'manifests/site.pp': manifest, ...eyamlData(keys, 'of the key') });
    },
  );
  const pool = new ServerPool(site);
  const gone: string[] = [];
  let agents: readonly Agent[];

  beforeAll(async () => {
    await pool.bunraku('autoscaler', 'set', '--min', '2', '--max', '5');
    agents = ['one', 'two', 'three'].map((name) => site().agent(`${name}.pool.e2e.test`));
  });

  test('begins with servers that the primary launched and that joined by themselves', async () => {
    const serving = await pool.whenServing(2);

    expect([...pool.processes().keys()].toSorted()).toEqual(serving.toSorted());
    for (const agent of agents) expect((await agent.runsCleanly(2)).output).toContain(expected);
  });

  test('grows under four times the load and shrinks after it, and no run of an agent fails', async () => {
    const load = await CatalogLoad.prepare({
      installation: site().installation,
      directory: join(site().directory, 'load'),
      domain: 'e2e.test',
      nodes: loadNodes,
      intervalMs: loadIntervalMs,
    });
    const runs = new LoopingAgents(agents);

    load.active = loadNodes / 4;
    load.start();
    await pool.whenServing(2);
    load.active = loadNodes;
    const grown = await until('four servers serve', async () => {
      const serving = await pool.serving();
      return serving.length >= 4 ? serving : undefined;
    });
    const opened = await messagesOf(grown);
    load.active = loadNodes / 4;
    const left = await pool.whenServing(2);
    const ended = await runs.end();
    await load.stop();

    // Each of the new servers got the key with the joining.
    expect(opened).toEqual(grown.map(() => [expected]));
    // Some of each agent in the time that this takes.
    expect(ended.length).toBeGreaterThan(9);
    expect(ended.every(({ output }) => output.includes(expected))).toBe(true);
    expect([...load.answers.keys()].filter((answer) => answer !== '200' && answer !== '503')).toEqual([]);
    gone.push(...grown.filter((name) => !left.includes(name)));
  });

  test('and every trace of the servers that left is gone within ten seconds', async () => {
    expect(gone.length).toBeGreaterThanOrEqual(2);
    await until('the traces are gone', async () => (await pool.traces(gone)).length === 0, 10_000);

    expect([...pool.processes().keys()].toSorted()).toEqual((await pool.whenServing(2)).toSorted());
  });

  test('a server that is told to drain leaves in order and is replaced', async () => {
    const [name = ''] = await pool.whenServing(2);

    const { exitCode, output } = await pool.bunraku('infrastructure', 'drain', name);

    expect(exitCode, output).toBe(0);
    expect(output).toMatch(new RegExp(`^${name} has left the installation$`, 'm'));
    await until('the traces are gone', async () => (await pool.traces([name])).length === 0, 10_000);
    expect(await pool.whenServing(2)).not.toContain(name);
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'a server that ends by %s without an order comes back with its certificate',
    async (signal) => {
      // It would be replaced at once, and the surplus drain after a while.
      await pool.bunraku('autoscaler', 'pause');
      const [name = ''] = await pool.whenServing(2);
      const before = pool.certificateOf(name);
      const pid = pool.processes().get(name) ?? 0;

      process.kill(pid, signal);
      await until('another process runs', () => (pool.processes().get(name) ?? pid) !== pid);
      await until('it serves', async () => (await pool.serving()).includes(name));

      expect(pool.certificateOf(name)).toBe(before);
      await pool.whenServing(2);
    },
  );

  test('a primary that was killed finds its servers again, and launches none twice', async () => {
    const names = await pool.whenServing(2);
    const before = pool.processes();

    await site().installation.primary?.kill();
    await site().installation.startPrimary();

    expect(await pool.whenServing(2)).toEqual(names);
    expect(pool.processes()).toEqual(before);
    await agents[0]?.runsCleanly(2);
    await pool.bunraku('autoscaler', 'resume');
  });

  test('a departure goes on when the primary is killed in between', async () => {
    const [name = ''] = await pool.whenServing(2);

    await pool.bunraku('infrastructure', 'drain', name, '--no-wait');
    await site().installation.primary?.kill();
    await site().installation.startPrimary();

    await until('the traces are gone', async () => (await pool.traces([name])).length === 0);
    expect(await pool.whenServing(2)).not.toContain(name);
  });

  test('no process is left when the primary does not come back', async () => {
    await site().installation.primary?.kill();

    await until('all have ended', () => pool.processes().size === 0, 60_000);
    await site().installation.startPrimary();
  });

  /** What catalogs of each server notify of. */
  async function messagesOf(servers: readonly string[]): Promise<readonly (readonly string[])[]> {
    const [agent] = agents;
    if (agent === undefined) throw new Error('unreachable: there are agents');
    const ports = new Map(pool.processList().map(({ certname, port }) => [certname, port]));
    const client = agent.client();
    const messages = servers.map(async (name) => {
      const catalog = await fetchCatalog(client, `https://localhost:${ports.get(name)}`, agent.certname);
      return Object.keys(notifications(catalog));
    });
    return await Promise.all(messages).finally(() => client.close());
  }
});
