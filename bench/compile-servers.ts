/**
 * `npm run bench -- compile --puppetserver [--nodes NAME,...] [--instances N] [--clients N] [--seconds N] [--warm-up N]`:
 * catalogs over HTTPS with the nodes' own certificates, of our server and then of Debian's `puppetserver`: the same
 * authority, environment, nodes and facts, and as many compiling threads as JRuby instances. The code is that of
 * ../shared/fleet. Time of the processor is that of the server with its Ruby, not of the clients.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '../demo/ports.ts';
import { HttpClient } from '../src/platform/http-client/index.ts';
import {
  createCertificateRequest,
  createKeyPair,
  encodeCertificateRequest,
  encodePrivateKey,
} from '../src/platform/x509/index.ts';
import { hasPuppetserver, RealPuppetserver } from '../test/ca/real-puppetserver.ts';
import { Fleet, type FleetNode } from '../test/fleet/fleet.ts';
import { processUse } from './process-use.ts';

const project = resolve(import.meta.dirname, '..');
const certname = 'localhost';
const factMinutes = 30;

interface Options {
  readonly nodes: readonly string[];
  readonly instances: number;
  readonly clients: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

/** A node with what its agent sends, and the client that sends it. */
interface Agent {
  readonly certname: string;
  readonly body: string;
  readonly client: HttpClient;
}

interface Target {
  readonly title: string;
  readonly port: number;
  readonly pid: number;
  readonly beganMs: number;
}

export async function measureServers(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  const directory = resolve(project, '../shared/fleet');
  if (!existsSync(directory)) {
    console.log(`SKIPPED: there is no ${directory}`);
    return;
  }
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
      nodes: {
        type: 'string',
        default: 'win01.iad2.example.com,ntp02.iad2.example.com,web02.fra1.example.com',
      },
      instances: { type: 'string', default: '1' },
      clients: { type: 'string', default: '2' },
      seconds: { type: 'string', default: '20' },
      'warm-up': { type: 'string', default: '40' },
    },
  });
  return {
    nodes: values.nodes.split(','),
    instances: Number(values.instances),
    clients: Number(values.clients),
    seconds: Number(values.seconds),
    warmUpSeconds: Number(values['warm-up']),
  };
}

async function measureBoth(
  base: string,
  environments: string,
  fleet: Fleet,
  options: Options,
): Promise<void> {
  const nodes = fleet.nodes.filter(({ certname: name }) => options.nodes.includes(name));
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
  let agents: readonly Agent[] = [];
  try {
    agents = await Promise.all(
      nodes.map((node) => enrol(node, fleet, join(base, 'ours', 'ssl'), ours.target.port)),
    );
    await measure(ours.target, agents, options);
  } finally {
    await stop(ours.child);
  }
  if (hasPuppetserver) await measureReal(real, agents, options);
  for (const { client } of agents) client.close();
}

async function measureReal(
  real: RealPuppetserver,
  agents: readonly Agent[],
  options: Options,
): Promise<void> {
  const beganMs = performance.now();
  await real.start();
  try {
    await measure({ title: 'puppetserver', port: real.port, pid: real.pid, beganMs }, agents, options);
  } finally {
    await real.stop();
  }
}

async function startOurs(
  directory: string,
  environments: string,
  real: RealPuppetserver,
  { instances }: Options,
): Promise<{ readonly child: ChildProcess; readonly target: Target }> {
  mkdirSync(directory, { recursive: true });
  if (hasPuppetserver) {
    cpSync(real.caDir, join(directory, 'ca'), { recursive: true });
    cpSync(real.sslDir, join(directory, 'ssl'), { recursive: true });
  }
  cpSync(environments, join(directory, 'code-staging', 'environments'), { recursive: true });
  const port = await freePort();
  const settings = {
    data: directory,
    cadir: join(directory, 'ca'),
    ssldir: join(directory, 'ssl'),
    certname,
    serverport: port,
    listen: '127.0.0.1',
    autosign: 'true',
    'compile-workers': instances,
    'log-level': 'error',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const beganMs = performance.now();
  const child = spawn(process.execPath, [join(project, 'dist', 'main.js'), 'primary', ...flags], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await waitFor(port);
  await deploy(port, join(directory, 'ssl'));
  return { child, target: { title: 'bunraku', port, pid: child.pid ?? 0, beganMs } };
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

async function waitFor(port: number): Promise<void> {
  const client = new HttpClient({});
  try {
    for (let attempt = 0; attempt < 1200; attempt++) {
      const url = `https://127.0.0.1:${port}/status/v1/simple`;
      const answer = await client.send({ method: 'GET', url }).catch(() => undefined);
      if (answer?.status === 200) return;
      await sleep(50);
    }
    throw new Error('the server did not start');
  } finally {
    client.close();
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((done) => child.once('close', done));
  child.kill('SIGTERM');
  await ended;
}

/** A certificate, as the node's agent gets it, and the request for its catalog. */
async function enrol(node: FleetNode, fleet: Fleet, sslDir: string, port: number): Promise<Agent> {
  const name = node.certname;
  const keys = await createKeyPair({ kind: 'rsa', bits: 2048 });
  const extensions = node.extensions ?? {};
  const request = encodeCertificateRequest(
    await createCertificateRequest({ certname: name, extensions }, keys),
  );
  const ca = readFileSync(join(sslDir, 'certs', 'ca.pem'), 'utf8');
  const anonymous = new HttpClient({ ca });
  const url = `https://localhost:${port}/puppet-ca/v1`;
  const headers = { 'content-type': 'text/plain', accept: 'text/plain' };
  await anonymous.send({ method: 'PUT', url: `${url}/certificate_request/${name}`, headers, body: request });
  const answer = await anonymous.send({ method: 'GET', url: `${url}/certificate/${name}` });
  anonymous.close();
  if (answer.status !== 200) throw new Error(`no certificate for ${name}: ${answer.body.toString()}`);
  const certificate = answer.body.toString();
  return {
    certname: name,
    body: catalogRequest(node, fleet),
    client: new HttpClient({ ca, certificate, privateKey: encodePrivateKey(keys.privateKey) }),
  };
}

function catalogRequest(node: FleetNode, fleet: Fleet): string {
  const { values } = JSON.parse(readFileSync(join(fleet.directory, node.facts), 'utf8')) as {
    readonly values: Readonly<Record<string, unknown>>;
  };
  const now = Date.now();
  const facts = {
    name: node.certname,
    values: { ...values, clientcert: node.certname },
    timestamp: new Date(now).toISOString(),
    expiration: new Date(now + factMinutes * 60_000).toISOString(),
  };
  return new URLSearchParams({
    environment: node.environment ?? 'production',
    facts_format: 'application/json',
    // Agents encode them twice.
    facts: encodeURIComponent(JSON.stringify(facts)),
  }).toString();
}

async function measure(target: Target, agents: readonly Agent[], options: Options): Promise<void> {
  const { title, beganMs } = target;
  for (const [index, agent] of agents.entries()) {
    const resources = await compileOnce(target, agent);
    if (index === 0)
      console.log(
        `${title}: first catalog ${((performance.now() - beganMs) / 1000).toFixed(1)} s after the start`,
      );
    await repeat(target, agent, options.clients, options.warmUpSeconds);
    const before = processUse(target.pid);
    const began = performance.now();
    const times = (await repeat(target, agent, options.clients, options.seconds)).toSorted((a, b) => a - b);
    const elapsed = (performance.now() - began) / 1000;
    const after = processUse(target.pid);
    const cpu = after.cpuSeconds - before.cpuSeconds;
    const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(0);
    console.log(
      `${title}: ${agent.certname}, ${resources} resources: ${((1000 * cpu) / times.length).toFixed(1)} CPU ms a catalog, ` +
        `${(times.length / cpu).toFixed(2)} catalogs a CPU second, ${(times.length / elapsed).toFixed(2)}/s, ` +
        `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${after.residentMiB.toFixed(0)} MiB (${times.length} catalogs)`,
    );
  }
}

/** @returns milliseconds of each request */
async function repeat(target: Target, agent: Agent, clients: number, seconds: number): Promise<number[]> {
  const until = performance.now() + seconds * 1000;
  const times: number[] = [];
  const loop = async (): Promise<void> => {
    while (performance.now() < until) {
      const began = performance.now();
      await compileOnce(target, agent);
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: clients }, loop));
  return times;
}

/** @returns how many resources the catalog has */
async function compileOnce(
  { port, title }: Target,
  { body, certname: name, client }: Agent,
): Promise<number> {
  const { body: text, status } = await client.send({
    method: 'POST',
    url: `https://localhost:${port}/puppet/v3/catalog/${name}`,
    headers: {
      accept: 'application/vnd.puppet.rich+json, application/json',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body,
    timeoutMs: 300_000,
  });
  if (status !== 200) throw new Error(`${title}: ${name}: ${status}: ${text.toString().slice(0, 2000)}`);
  return text.toString().split('"type":"').length - 1;
}
