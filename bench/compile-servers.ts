/**
 * `npm run bench -- compile --puppetserver [--sizes NODE,...] [--instances N] [--clients N] [--seconds N] [--warm-up N]
 * [--only bunraku|puppetserver] [--sizes-only] [--profile DIR]`: catalogs over HTTPS with the nodes' own certificates, of our server
 * and of Debian's `puppetserver`: the same authority, environments, nodes and facts, and as many compiling threads as
 * JRuby instances. The code is that of test/recorded/fleet and of bench/environment.
 *
 * Three sizes and one without Ruby, each alone, then all nodes that both can compile, in turns. Time of the processor is
 * that of the server with its Ruby, not of the clients; memory is what all of its processes have resident. Both servers
 * run all the time; the one that is not asked does nothing.
 */

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../demo/ports.ts';
import { HttpClient } from '../src/platform/http-client/index.ts';
import { hasPuppetserver, RealPuppetserver } from '../test/ca/real-puppetserver.ts';
import { Fleet } from '../test/fleet/fleet.ts';
import { type CatalogAgent, enrol, fleetNode, generatedNode, requestCatalog } from './catalog-agents.ts';
import { writeGeneratedEnvironment } from './compile-subjects.ts';
import { startOwnServer } from './own-server.ts';
import { processUse } from './process-use.ts';

const project = resolve(import.meta.dirname, '..');
const certname = 'localhost';
/** Of the nodes of `bench/environment`, the one that is measured: it has no Ruby. */
const generatedResources = 2700;

interface Options {
  readonly sizes: readonly string[];
  readonly instances: number;
  readonly clients: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly sizesOnly: boolean;
  readonly only: string | undefined;
  readonly profile: string | undefined;
}

interface Target {
  readonly title: string;
  readonly port: number;
  readonly pid: number;
  readonly beganMs: number;
}

/** What is measured together. */
interface Load {
  readonly name: string;
  readonly agents: readonly CatalogAgent[];
}

export async function measureServers(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  const directory = resolve(project, 'test/recorded/fleet');
  const base = mkdtempSync(join(tmpdir(), 'bunraku-bench-servers-'));
  try {
    const fleet = new Fleet(directory);
    const environments = join(base, 'environments');
    cpSync(join(fleet.codeDirectory, 'environments'), environments, { recursive: true });
    await measureBoth(base, environments, fleet, options);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      puppetserver: { type: 'boolean', default: true },
      sizes: {
        type: 'string',
        default: 'win01.iad2.example.com,ntp02.iad2.example.com,web02.fra1.example.com',
      },
      instances: { type: 'string', default: '1' },
      clients: { type: 'string', default: '2' },
      seconds: { type: 'string', default: '12' },
      'warm-up': { type: 'string', default: '15' },
      'sizes-only': { type: 'boolean', default: false },
      only: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  return {
    sizes: values.sizes.split(','),
    instances: Number(values.instances),
    clients: Number(values.clients),
    seconds: Number(values.seconds),
    warmUpSeconds: Number(values['warm-up']),
    sizesOnly: values['sizes-only'],
    only: values.only,
    profile: values.profile,
  };
}

async function measureBoth(
  base: string,
  environments: string,
  fleet: Fleet,
  options: Options,
): Promise<void> {
  mkdirSync(join(environments, 'bench'));
  const generated = writeGeneratedEnvironment(join(environments, 'bench'));
  const real = new RealPuppetserver({
    base: join(base, 'real'),
    certname,
    port: await freePort(),
    autosign: 'true',
    instances: options.instances,
    settings: { environmentpath: environments, environment_timeout: 'unlimited' },
  });
  if (hasPuppetserver) await real.ca('setup', '--subject-alt-names', certname);
  else console.log('puppetserver is not installed: measuring bunraku alone');
  const ours = await startOurs(join(base, 'ours'), environments, real, options);
  try {
    const nodes = [
      ...fleet.nodes.filter(({ fails }) => fails !== true).map((node) => fleetNode(fleet, node)),
      ...generated
        .filter(({ resources }) => resources === generatedResources)
        .map((node) => generatedNode(node, 'bench')),
    ];
    const agents: CatalogAgent[] = [];
    const enrolling = performance.now();
    for (const node of nodes) agents.push(await enrol(node, join(base, 'ours', 'ssl'), ours.target.port));
    // The real one finds its agents enrolled: the time that this took here does not count.
    const beganMs = ours.target.beganMs + performance.now() - enrolling;
    await measureTargets({ ...ours.target, beganMs }, real, agents, options);
    for (const { client } of agents) client.close();
  } finally {
    await ours.stop();
  }
}

async function measureTargets(
  ours: Target,
  real: RealPuppetserver,
  agents: readonly CatalogAgent[],
  options: Options,
): Promise<void> {
  const first = [...options.sizes, `node${generatedResources}.bench.example.com`].flatMap((name) =>
    agents.filter(({ certname: one }) => one === name),
  );
  const targets = options.only === 'puppetserver' ? [] : [ours];
  if (targets.length > 0) await reportFirst(ours, first);
  try {
    if (hasPuppetserver && options.only !== 'bunraku') {
      const beganMs = performance.now();
      await real.start();
      const target = { title: 'puppetserver', port: real.port, pid: real.pid, beganMs };
      targets.push(target);
      await reportFirst(target, first);
    }
    const loads: Load[] = first.map((agent) => ({ name: agent.certname, agents: [agent] }));
    if (!options.sizesOnly) {
      const common = await compilable(targets, agents);
      loads.push({ name: `all ${common.length} nodes that compile`, agents: common });
    }
    for (const target of targets) for (const load of loads) await measure(target, load, options);
  } finally {
    if (hasPuppetserver) await real.stop();
  }
}

async function reportFirst({ beganMs, port, title }: Target, agents: readonly CatalogAgent[]): Promise<void> {
  const [agent] = agents;
  if (agent === undefined) throw new Error('there is no such node');
  const answer = await requestCatalog(port, agent);
  if (typeof answer === 'string') throw new Error(`${title}: ${agent.certname}: ${answer}`);
  const seconds = ((performance.now() - beganMs) / 1000).toFixed(1);
  console.log(`${title}: first catalog ${seconds} s after the start`);
}

/** The nodes that get a catalog everywhere. Some of the fleet are there to fail. */
async function compilable(
  targets: readonly Target[],
  agents: readonly CatalogAgent[],
): Promise<readonly CatalogAgent[]> {
  const found: CatalogAgent[] = [];
  for (const agent of agents) {
    const answers = await Promise.all(targets.map(({ port }) => requestCatalog(port, agent)));
    const failed = answers.filter((answer) => typeof answer === 'string');
    if (failed.length === 0) found.push(agent);
    // Where all refuse, the node is meant to fail.
    else if (failed.length < targets.length)
      console.log(`${agent.certname} is left out: ${failed.join('; ')}`);
  }
  return found;
}

async function startOurs(
  directory: string,
  environments: string,
  real: RealPuppetserver,
  { instances, profile }: Options,
): Promise<{ readonly target: Target; stop(): Promise<void> }> {
  cpSync(environments, join(directory, 'code-staging', 'environments'), { recursive: true });
  const server = await startOwnServer({
    directory,
    certname,
    authority: hasPuppetserver ? real : undefined,
    settings: { 'compile-workers': instances, 'log-level': 'error' },
    // As with the real one: no catalogs are kept.
    flags: ['--no-storeconfigs'],
    nodeFlags: profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', resolve(profile)],
  });
  await deploy(server.port, server.sslDir);
  return { stop: server.stop, target: { title: 'bunraku', ...server } };
}

/** What is staged goes live: a server has versions of code, not a directory. */
async function deploy(port: number, sslDir: string): Promise<void> {
  const read = (path: string) => readFileSync(join(sslDir, path), 'utf8');
  const client = new HttpClient({
    ca: read('certs/ca.pem'),
    certificate: read(`certs/${certname}.pem`),
    privateKey: read(`private_keys/${certname}.pem`),
  });
  const { body, status } = await client.send({
    method: 'POST',
    url: `https://localhost:${port}/file-sync/v1/commit`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ 'commit-all': true, wait_ms: 60_000 }),
    timeoutMs: 120_000,
  });
  client.close();
  if (status !== 200) throw new Error(`the deploy failed: ${status}: ${body.toString()}`);
}

async function measure(target: Target, load: Load, options: Options): Promise<void> {
  const { pid, title } = target;
  await repeat(target, load, options.clients, options.warmUpSeconds);
  const before = processUse(pid);
  const began = performance.now();
  const { resources, times: unsorted } = await repeat(target, load, options.clients, options.seconds);
  const elapsed = (performance.now() - began) / 1000;
  const after = processUse(pid);
  const times = unsorted.toSorted((a, b) => a - b);
  const cpu = after.cpuSeconds - before.cpuSeconds;
  const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(0);
  console.log(
    `${title}: ${load.name}, ${Math.round(resources / times.length)} resources: ` +
      `${((1000 * cpu) / times.length).toFixed(1)} CPU ms a catalog, ` +
      `${(times.length / cpu).toFixed(2)} catalogs a CPU second, ${(times.length / elapsed).toFixed(2)}/s, ` +
      `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${after.residentMiB.toFixed(0)} MiB (${times.length} catalogs)`,
  );
}

/** Asks for one node after the other, each client for the next one, until the time is over and all had their turn. */
async function repeat(
  { port, title }: Target,
  { agents, name }: Load,
  clients: number,
  seconds: number,
): Promise<{ readonly resources: number; readonly times: readonly number[] }> {
  const until = performance.now() + seconds * 1000;
  const times: number[] = [];
  let resources = 0;
  let next = 0;
  const loop = async (): Promise<void> => {
    while (performance.now() < until || next % agents.length !== 0) {
      const agent = agents[next % agents.length];
      next += 1;
      if (agent === undefined) throw new Error(`no agent for: ${name}`);
      const began = performance.now();
      const answer = await requestCatalog(port, agent);
      if (typeof answer === 'string') throw new Error(`${title}: ${agent.certname}: ${answer}`);
      times.push(performance.now() - began);
      resources += answer;
    }
  };
  await Promise.all(Array.from({ length: clients }, loop));
  return { resources, times };
}
