/** Plays the rounds from the operator's host: `operator.ts OWNER JOB`, started by `run.ts`. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BenchAuthority } from '../../bench/broker/bench-authority.ts';
import { createKeyPair } from '../../src/platform/x509/index.ts';
import { Cluster } from '../cluster/cluster.ts';
import { nameHosts, networkOf } from '../cluster/hosts.ts';
import { readCredentials } from '../e2e/support/agent.ts';
import { until } from '../e2e/support/until.ts';
import { readJournal } from './action-journal.ts';
import { faultsOf, playFaults } from './broker-rounds.ts';
import { JobStream } from './job-stream.ts';
import { judgeJobs } from './job-verdict.ts';
import type { PxpCrowd } from './pxp-crowd.ts';

interface Job {
  readonly directory: string;
  readonly rounds: number;
  readonly agents: number;
  readonly servers: number;
  readonly crowds: number;
}

const longestMs = 15_000;
/** The broker of the second server sends its agents away soon when it is cut off; that of the first keeps them, as is usual. */
const shortGrace = ['--pcp-broker-controller-grace-period', '10s'];

const [owner = '', text = ''] = process.argv.slice(2);
const { agents, crowds, directory, rounds, servers } = JSON.parse(text) as Job;
const hosts = nameHosts(servers, crowds);
const network = networkOf(hosts, Number(owner));
const cluster = new Cluster({ network, hosts, directory, program: join(directory, 'program') });
const certnames = Array.from({ length: agents }, (_, index) => `agent${index + 1}.fleet.test`);
const journals = hosts.nodes.map((host) => join(directory, `${host}.journal`));
const faults: string[] = [];
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => void cluster.end().finally(() => process.exit(1)));
try {
  await start();
  const stream = new JobStream({
    url: `https://${hosts.primary}:8143/orchestrator/v1`,
    credentials: readCredentials(join(cluster.dataOf(hosts.primary), 'puppet', 'ssl'), hosts.primary),
    certnames,
    nodes: Math.ceil(agents / 10),
    everyMs: 2000,
  });
  await allConnected(stream);
  for (let round = 0; round < rounds; round += 1) await playRound(round, stream);
  const jobs = await stream.ends();
  // Whatever runs longer than its job is a fault, and an end is to be seen all the same.
  for (const host of hosts.nodes) await cluster.running(host).stop(2 * longestMs);
  const { faults: found, states } = judgeJobs(jobs, journals.flatMap(readJournal));
  faults.push(...stream.requestFaults, ...found);
  stream.close();
  const ran = Object.entries(states).map(([state, count]) => `${count} ${state}`);
  console.log(`${rounds} rounds, ${agents} agents, ${jobs.length} jobs; nodes of jobs: ${ran.join(', ')}`);
} catch (error) {
  faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
await cluster.end();
for (const fault of faults.slice(0, 40)) console.log(`FAULT ${fault}`);
if (faults.length > 40) console.log(`FAULT and ${faults.length - 40} more`);
console.log(faults.length === 0 ? 'as it should be' : `${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;

async function start(): Promise<void> {
  await cluster.startPrimary();
  const environment = join(cluster.dataOf(hosts.primary), 'code-staging', 'environments', 'production');
  const tasks = join(environment, 'modules', 'demo', 'tasks');
  mkdirSync(tasks, { recursive: true });
  writeFileSync(join(tasks, 'init.sh'), '#!/bin/sh\necho "{\\"ran\\": \\"$PT_token\\"}"\n');
  await cluster.deploy(1);
  for (const [index, host] of hosts.compileServers.entries())
    await cluster.join(host, await cluster.token(), index === 1 ? shortGrace : []);
  await startCrowds();
}

/** Certificates of all agents have the same key: to make one each takes minutes. */
async function startCrowds(): Promise<void> {
  const read = (name: string): string =>
    readFileSync(join(cluster.dataOf(hosts.primary), 'ca', name), 'utf8');
  const authority = BenchAuthority.of(read('ca_crt.pem'), read('ca_key.pem'));
  const keys = await createKeyPair({ kind: 'ec', curve: 'P-256' });
  const issued = await Promise.all(certnames.map((certname) => authority.issue(certname, keys)));
  const brokers = [hosts.primary, ...hosts.compileServers].map((host) => `wss://${host}:8142/pcp2/agent`);
  const [first] = issued;
  for (const [index, host] of hosts.nodes.entries()) {
    const crowd: PxpCrowd = {
      agents: issued
        .map(({ certificate, certname }, place) => ({
          certname,
          certificate,
          brokers: rotated(brokers, place),
        }))
        .filter((_, place) => place % hosts.nodes.length === index),
      ca: authority.certificate,
      privateKey: first?.privateKey ?? '',
      journalFile: journals[index] ?? '',
      longestMs,
    };
    const file = join(directory, `${host}.json`);
    writeFileSync(file, JSON.stringify(crowd));
    cluster.start(host, [process.execPath, join(import.meta.dirname, 'pxp-crowd.ts'), file]);
  }
}

/** Agents of each crowd are spread over all brokers. */
function rotated<T>(list: readonly T[], place: number): readonly T[] {
  const from = Math.floor(place / hosts.nodes.length) % list.length;
  return [...list.slice(from), ...list.slice(0, from)];
}

async function playRound(round: number, stream: JobStream): Promise<void> {
  const stopping = new AbortController();
  const running = stream.run(stopping.signal);
  await playFaults(faultsOf(round, cluster), say);
  stopping.abort();
  await running;
  await allConnected(stream);
  say(`round ${round + 1} is over`);
}

async function allConnected(stream: JobStream): Promise<void> {
  const total = (counts: Readonly<Record<string, number>>) =>
    Object.values(counts).reduce((sum, count) => sum + count, 0);
  await until('all agents are connected', async () => total(await stream.connections()) === agents);
  const counts = Object.entries(await stream.connections()).map(([broker, count]) => `${count} at ${broker}`);
  say(counts.join(', '));
}

function say(what: string): void {
  process.stderr.write(`${new Date().toISOString()} ${what}\n`);
}
