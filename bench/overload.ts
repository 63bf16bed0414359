/**
 * What a server does that is asked for three times as much as it can do.
 *
 * `npm run bench -- overload [AGENTS] [FACTOR]`: catalogs that take a tenth of a second each without using the
 * processor, agents that ask for one each at their own times and obey `Retry-After` as real ones do, and a load
 * balancer's health checks meanwhile.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpClient } from '../src/platform/http-client/index.ts';
import { withLonePrimary } from './lone-primary.ts';

interface Job {
  readonly url: string;
  readonly healthUrl: string;
  readonly credentials: {
    readonly ca: string;
    readonly certificate: string;
    readonly privateKey: string;
  };
  readonly agents: number;
  readonly agentsPerSecond: number;
}

/** Times in ms. */
export interface OverloadResult {
  readonly served: number;
  readonly failed: readonly string[];
  /** How often agents were asked to come back. */
  readonly putOff: number;
  readonly mostAttempts: number;
  /** From the request that was answered to its answer, of agents that obey `Retry-After`. */
  readonly waits: readonly number[];
  /** The same of those that have to wait at the server instead. */
  readonly lineWaits: readonly number[];
  readonly healthChecks: readonly number[];
  /** Over plain HTTP, at a port of their own. */
  readonly plainHealthChecks: readonly number[];
  readonly totalMs: number;
}

const workers = 4;
const compileMs = 100;
/** Half of the agents obey `Retry-After`; the others have to wait at the server. */
const versions = ['8.10.0', '7.23.0'];

if (process.send !== undefined && process.argv[1] === import.meta.filename)
  process.once('message', (job: Job | { readonly checks: readonly string[] }) =>
    'checks' in job ? void checkHealth(job.checks) : void runAgents(job),
  );

export async function measureOverload(args: readonly string[]): Promise<void> {
  const [agents = 1500, factor = 3] = args.map(Number);
  const capacity = (workers * 1000) / compileMs;
  const result = await overload({ agents, factor });
  const line = (name: string, values: readonly number[]) =>
    `${name}: p50 ${quantile(values, 0.5)} ms, p99 ${quantile(values, 0.99)} ms, max ${quantile(values, 1)} ms`;
  console.log(
    `${agents} agents, ${capacity * factor} a second, to a server that compiles ${capacity} a second`,
  );
  console.log(
    `served ${result.served}, failed ${result.failed.length}, in ${Math.round(result.totalMs / 1000)} s`,
  );
  console.log(
    `asked to come back ${result.putOff} times, one agent at most ${result.mostAttempts - 1} times`,
  );
  console.log(line('catalog, agents that come back, from the request that was served', result.waits));
  console.log(line('catalog, agents that wait in line', result.lineWaits));
  console.log(line('health check over TLS', result.healthChecks));
  console.log(line('health check at health_port', result.plainHealthChecks));
  for (const message of new Set(result.failed)) console.log(`failed: ${message}`);
}

/** Runs a server and its agents, each in a process of its own. */
export function overload(size: {
  readonly agents: number;
  readonly factor: number;
}): Promise<OverloadResult> {
  return withLonePrimary({ compile_workers: workers }, async ({ healthUrl, installation }) => {
    cpSync(installation.options.controlRepository, installation.stagedEnvironment, { recursive: true });
    const code = `$waited = generate('/bin/sleep', '${compileMs / 1000}')\nnotify { 'done': }\n`;
    writeFileSync(join(installation.stagedEnvironment, 'manifests', 'site.pp'), code);
    writeFileSync(join(installation.primaryDirectory, 'auth.conf'), anyCatalog);
    await installation.startPrimary();
    return await runElsewhere({
      url: installation.primaryUrl,
      healthUrl,
      credentials: installation.operatorCredentials(),
      agents: size.agents,
      agentsPerSecond: (size.factor * workers * 1000) / compileMs,
    });
  });
}

/** The load balancer is a process of its own as well: it must not wait for the agents' processor time. */
async function runElsewhere(job: Job): Promise<OverloadResult> {
  const agents = fork(import.meta.filename);
  const endChecks = checkHealthElsewhere([job.url, job.healthUrl]);
  agents.send(job);
  const [result] = (await once(agents, 'message')) as [OverloadResult];
  const [healthChecks = [], plainHealthChecks = []] = await endChecks();
  agents.kill();
  return { ...result, healthChecks, plainHealthChecks };
}

/** Begins to check in a process of its own. @returns what ends that: the times in ms, by URL */
export function checkHealthElsewhere(urls: readonly string[]): () => Promise<readonly (readonly number[])[]> {
  const balancer = fork(import.meta.filename);
  balancer.send({ checks: urls });
  return async () => {
    balancer.send('stop');
    const [times] = (await once(balancer, 'message')) as [readonly (readonly number[])[]];
    balancer.kill();
    return times;
  };
}

/** One certificate asks for all catalogs: to make thousands would take longer than what is measured. */
const anyCatalog = `authorization: { version: 1, rules: [
  { name: "all", sort-order: 1, allow: "*", match-request: { path: "/puppet/v3", type: path } }
] }
`;

async function runAgents(job: Job): Promise<void> {
  const began = performance.now();
  const result = {
    served: 0,
    failed: [] as string[],
    putOff: 0,
    mostAttempts: 0,
    waits: [] as number[],
    lineWaits: [] as number[],
  };
  const agents = Array.from({ length: job.agents }, async (_, index) => {
    await sleep((index * 1000) / job.agentsPerSecond);
    const agent = await runAgent(job, `agent${index}.example.com`, versions[index % versions.length]);
    result.putOff += agent.attempts - 1;
    result.mostAttempts = Math.max(result.mostAttempts, agent.attempts);
    if (agent.failure === undefined) {
      result.served += 1;
      (index % 2 === 0 ? result.waits : result.lineWaits).push(agent.waitMs);
    } else result.failed.push(agent.failure);
  });
  await Promise.all(agents);
  process.send?.({ ...result, totalMs: performance.now() - began });
}

/** As Puppet 7 does: up to a hundred times, each time with a new connection. */
async function runAgent({ url, credentials }: Job, certname: string, version = '') {
  for (let attempts = 1; ; attempts += 1) {
    const client = new HttpClient(credentials);
    const began = performance.now();
    try {
      const answer = await client.send({
        method: 'POST',
        url: `${url}/puppet/v3/catalog/${certname}?environment=production`,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'application/json',
          'x-puppet-version': version,
        },
        body: factsForm(certname),
        timeoutMs: 120_000,
      });
      const waitMs = performance.now() - began;
      const retryAfter = Number(answer.headers['retry-after']);
      if (answer.status === 200) return { attempts, waitMs };
      if (answer.status !== 503 || !(retryAfter >= 0) || attempts > 100)
        return { attempts, waitMs, failure: `${answer.status} ${answer.body.toString('utf8')}` };
      client.close();
      await sleep(retryAfter * 1000);
    } catch (error) {
      return { attempts, waitMs: 0, failure: String(error) };
    } finally {
      client.close();
    }
  }
}

function factsForm(certname: string): string {
  const facts = JSON.stringify({ name: certname, values: { os: { family: 'Debian' } } });
  return new URLSearchParams({
    environment: 'production',
    facts_format: 'application/json',
    facts: encodeURIComponent(facts),
  }).toString();
}

/** As HAProxy does: twice a second, each time with a new connection. */
async function checkHealth(urls: readonly string[]): Promise<void> {
  const stopping = new AbortController();
  process.once('message', () => stopping.abort());
  const times = await Promise.all(urls.map((url) => checkOne(`${url}/status/v1/simple`, stopping.signal)));
  process.send?.(times);
}

async function checkOne(url: string, signal: AbortSignal): Promise<readonly number[]> {
  const ask = async () => (url.startsWith('https:') ? await statusOf(url) : (await fetch(url)).status);
  // Not counted: this client loads its own TLS and HTTP for it.
  await ask();
  const times: number[] = [];
  while (!signal.aborted) {
    const began = performance.now();
    const status = await ask();
    times.push(status === 200 ? performance.now() - began : Number.POSITIVE_INFINITY);
    await sleep(500);
  }
  return times;
}

/** From an address of its own: load balancers are not where the crowd is. */
function statusOf(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = {
      agent: false,
      localAddress: '127.0.0.2',
      family: 4,
      rejectUnauthorized: false,
      timeout: 60_000,
    };
    const request = get(url, options, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode ?? 0));
    });
    request.once('error', reject);
  });
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN);
}
