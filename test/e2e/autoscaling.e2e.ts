/** Compile servers that come when there is work and go when there is none: the local driver, the real HAProxy, real agents. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { CatalogLoad, loadManifest } from '../../demo/catalog-load.ts';
import { freePort } from '../../demo/ports.ts';
import { HaproxySocket } from '../../src/services/load-balancer/index.ts';
import { type Agent, type AgentRun, readCredentials } from './support/agent.ts';
import { run } from './support/joining.ts';
import { scenarios } from './support/requirements.ts';
import { runningSite } from './support/site.ts';
import { until } from './support/until.ts';

const localPort = await freePort();
/** A node of the load keeps a worker busy for so long; all together keep 4.5 workers busy, of the two of each server. */
const [loadNodes, loadIntervalMs] = [20, 8888];
const manifest = `${loadManifest(2)}node default {\n  notify { 'from the pool': }\n}\n`;

interface Member {
  readonly certname: string;
  readonly state: string;
  readonly cause: string;
}

scenarios('A pool of compile servers', () => {
  const site = runningSite(
    {
      compileServers: 0,
      isAutoscaled: true,
      settings: {
        autoscaler_driver: 'local',
        // Half an hour is 90 seconds.
        autoscaler_time_lapse: 20,
        autoscaler_local_port: localPort,
        autoscaler_local_settings: 'compile_workers=2,drain_delay=2s',
        autoscaler_local_grace: '20s',
      },
    },
    (prepared) => prepared.stage({ 'manifests/site.pp': manifest }),
  );
  const gone: string[] = [];
  let agents: readonly Agent[];

  beforeAll(async () => {
    await bunraku('autoscaler', 'set', '--min', '2', '--max', '5');
    agents = ['one', 'two', 'three'].map((name) => site().agent(`${name}.pool.e2e.test`));
  });

  test('begins with servers that the primary launched and that joined by themselves', async () => {
    const serving = await whenServing(2);

    expect([...processes().keys()].toSorted()).toEqual(serving.toSorted());
    for (const agent of agents) await agent.runsCleanly(2);
  });

  test('grows under four times the load and shrinks after it, and no run of an agent fails', async () => {
    const load = await CatalogLoad.prepare({
      installation: site().installation,
      directory: join(site().directory, 'load'),
      domain: 'e2e.test',
      nodes: loadNodes,
      intervalMs: loadIntervalMs,
    });
    const stopping = new AbortController();
    const runs = Promise.all(agents.map((agent) => runUntil(agent, stopping.signal)));

    load.active = loadNodes / 4;
    load.start();
    await whenServing(2);
    load.active = loadNodes;
    const grown = await until('four servers serve', async () => {
      const serving = await membersWhere(isServing);
      return serving.length >= 4 ? serving : undefined;
    });
    load.active = loadNodes / 4;
    const left = await whenServing(2);
    stopping.abort();
    await load.stop();

    // Some of each agent in the time that this takes.
    expect((await runs).every((own) => own.length > 3)).toBe(true);
    for (const each of (await runs).flat())
      expect(each, each.output).toMatchObject({ exitCode: 2, complaints: [] });
    expect([...load.answers.keys()].filter((answer) => answer !== '200' && answer !== '503')).toEqual([]);
    gone.push(...grown.filter((name) => !left.includes(name)));
  });

  test('and every trace of the servers that left is gone within ten seconds', async () => {
    expect(gone.length).toBeGreaterThanOrEqual(2);
    await until('the traces are gone', async () => (await traces(gone)).length === 0, 10_000);

    expect([...processes().keys()].toSorted()).toEqual((await whenServing(2)).toSorted());
  });

  test('a server that is told to drain leaves in order and is replaced', async () => {
    const [name = ''] = await whenServing(2);

    const { exitCode, output } = await bunraku('infrastructure', 'drain', name);

    expect(exitCode, output).toBe(0);
    expect(output).toMatch(new RegExp(`^${name} has left the installation$`, 'm'));
    await until('the traces are gone', async () => (await traces([name])).length === 0, 10_000);
    expect(await whenServing(2)).not.toContain(name);
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'a server that ends by %s without an order comes back with its certificate',
    async (signal) => {
      // It would be replaced at once, and the surplus drain after a while.
      await bunraku('autoscaler', 'pause');
      const [name = ''] = await whenServing(2);
      const before = certificateOf(name);
      const pid = processes().get(name) ?? 0;

      process.kill(pid, signal);
      await until('another process runs', () => (processes().get(name) ?? pid) !== pid);
      await until('it serves', async () => (await membersWhere(isServing)).includes(name));

      expect(certificateOf(name)).toBe(before);
      await whenServing(2);
    },
  );

  test('a primary that was killed finds its servers again, and launches none twice', async () => {
    const names = await whenServing(2);
    const before = processes();

    await site().installation.primary?.kill();
    await site().installation.startPrimary();

    expect(await whenServing(2)).toEqual(names);
    expect(processes()).toEqual(before);
    await agents[0]?.runsCleanly(2);
    await bunraku('autoscaler', 'resume');
  });

  test('a departure goes on when the primary is killed in between', async () => {
    const [name = ''] = await whenServing(2);

    await bunraku('infrastructure', 'drain', name, '--no-wait');
    await site().installation.primary?.kill();
    await site().installation.startPrimary();

    await until('the traces are gone', async () => (await traces([name])).length === 0);
    expect(await whenServing(2)).not.toContain(name);
  });

  test('no process is left when the primary does not come back', async () => {
    await site().installation.primary?.kill();

    await until('all have ended', () => processes().size === 0, 60_000);
    await site().installation.startPrimary();
  });

  /** One run after the other. */
  async function runUntil(agent: Agent, signal: AbortSignal): Promise<readonly AgentRun[]> {
    const runs: AgentRun[] = [];
    while (!signal.aborted) runs.push(await agent.run());
    return runs;
  }

  function bunraku(...words: readonly string[]) {
    return run(site(), [...words, '--data', site().installation.primaryDirectory]);
  }

  async function membersWhere(isWanted: (member: Member) => boolean): Promise<readonly string[]> {
    const { members } = (await ask('/autoscaler/v1/status')) as { readonly members: readonly Member[] };
    return members.filter(isWanted).map(({ certname }) => certname);
  }

  /** @returns their names, as soon as so many servers serve and there are no others */
  function whenServing(count: number): Promise<readonly string[]> {
    return until(`${count} servers serve`, async () => {
      const serving = await membersWhere(isServing);
      return serving.length === count && (await membersWhere(() => true)).length === count
        ? serving
        : undefined;
    });
  }

  async function ask(path: string): Promise<unknown> {
    const client = site().installation.operator();
    try {
      const { body } = await client.send({ method: 'GET', url: `${site().installation.primaryUrl}${path}` });
      return JSON.parse(body.toString('utf8'));
    } finally {
      client.close();
    }
  }

  /** Of the compile servers of this site by certname, as the system lists them. */
  function processes(): ReadonlyMap<string, number> {
    const place = `--data=${site().installation.localServersDirectory}/`;
    const found = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => ({ pid: Number(pid), words: commandLine(pid) }))
      .filter(({ words }) => words.some((word) => word.startsWith(place)));
    return new Map(
      found.map(({ pid, words }) => {
        const name = words.find((word) => word.startsWith('--certname='))?.slice('--certname='.length) ?? '';
        return [name, pid];
      }),
    );
  }

  function certificateOf(certname: string): string {
    const directory = site().installation.localServersDirectory;
    const place = readdirSync(directory).find((id) => certname.startsWith(`pool-${id}.`)) ?? '';
    return readCredentials(join(directory, place, 'data', 'puppet', 'ssl'), certname).certificate;
  }

  /** Where servers are still known that should not be. */
  async function traces(names: readonly string[]): Promise<readonly string[]> {
    const { installation } = site();
    const statuses = (await ask('/puppet-ca/v1/certificate_statuses/any')) as readonly {
      readonly name: string;
    }[];
    const { servers } = (await ask('/infrastructure/v1/status')) as { readonly servers: readonly Member[] };
    const nodes = await site().puppetDb('nodes[certname] { }');
    const fileSync = JSON.stringify(await ask('/file-sync/v1/status'));
    const balanced = await new HaproxySocket(installation.balancerSocket).servers('puppet');
    const directory = installation.localServersDirectory;
    const instances = existsSync(directory) ? readdirSync(directory) : [];
    const places = {
      certificate: statuses.map(({ name }) => name),
      register: servers.map(({ certname }) => certname),
      PuppetDB: nodes.map(({ certname }) => String(certname)),
      balancer: balanced.map(({ name }) => name),
    };
    return names.flatMap((name) => [
      ...Object.entries(places).flatMap(([place, known]) =>
        known.includes(name) ? [`${place}: ${name}`] : [],
      ),
      ...(fileSync.includes(name) ? [`file sync: ${name}`] : []),
      ...(instances.some((id) => name.startsWith(`pool-${id}.`)) ? [`instance: ${name}`] : []),
    ]);
  }
});

function isServing({ state }: Member): boolean {
  return state === 'serving';
}

function commandLine(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return []; // It has ended.
  }
}
