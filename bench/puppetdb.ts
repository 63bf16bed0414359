/**
 * `npm run bench -- puppetdb [NODES] [embedded|postgresql|real ...] [--whole]`: commands for each second of CPU, memory and
 * latencies of queries; ours embedded and on PostgreSQL, and the real PuppetDB of Debian where it is installed, all in one run.
 *
 * Half of the nodes are small and half typical, which makes 800,000 resources and 170,000 events of 2,000 nodes. Each node
 * runs twice: the first run is all new, on one of the last 14 days; in the second facts have changed, and one catalog in ten
 * with five resources. Between the two events are counted, of which each latest report has hundreds then.
 * A server that has not taken all nodes in time is measured, and queried, with those that it has taken. With `--whole`
 * there is as much time as it takes, so that all have the same data: the real one takes some 15 minutes for 2,000 nodes on two cores.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { rolldown } from 'rolldown';
import type { DatabaseLocation } from '../src/platform/storage/index.ts';
import { hasRealPuppetDb, startRealPuppetDb } from '../test/puppetdb/real-puppetdb.ts';
import { postgresPrograms, startPostgres } from '../test/support/running-postgres.ts';
import {
  type DashboardQuery,
  dashboardQueries,
  eventCountQueries,
  latestReport,
  node,
} from './puppetdb/dashboard-queries.ts';
import { BenchFleet } from './puppetdb/fleet.ts';
import { cpuSeconds, memoryMb, processTree } from './puppetdb/process-cost.ts';

/** One PuppetDB that is measured. */
interface Subject {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  /** Of the database, where it has one. */
  readonly databasePid: number | undefined;
  readonly stop: () => Promise<void>;
}

/** Servers that send at a time. */
const senders = 8;
const repetitions = 15;
/** Fewer repetitions where a query is slow. */
const queryMs = 2000;
const realHeapMb = 1024;
/** How long first and second runs are sent at most: until a measurement of all three is over in 12 minutes on two cores. */
const limitedMs = [150_000, 45_000] as const;
const unlimitedMs = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
/** How long commands are sent as 1,000 nodes send them that run every half hour. */
const paceMs = 20_000;
const pacedNodes = 1000;
const pacedIntervalMs = 1_800_000;

/** @param words - of the command line */
export async function measurePuppetDb(words: readonly string[]): Promise<void> {
  const mostMs = words.includes('--whole') ? unlimitedMs : limitedMs;
  const nodes = Number(words.find((word) => /^\d+$/.test(word)) ?? 2000);
  const only = words.filter((word) => !/^\d+$|^--/.test(word));
  const measure = (subject: Subject): Promise<void> => measureSubject(subject, nodes, mostMs);
  const isWanted = (name: string): boolean => only.length === 0 || only.includes(name);
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-bench-puppetdb-'));
  try {
    const script = await bundleServer(directory);
    if (isWanted('embedded')) await measure(await startEmbedded(script, directory));
    if (postgresPrograms === undefined) console.log('PostgreSQL is not installed');
    else if (isWanted('postgresql')) await measure(await startOnPostgres(script));
    if (!isWanted('real')) return;
    if (hasRealPuppetDb && postgresPrograms !== undefined) await measure(await startReal());
    else console.log('the real PuppetDB is not installed (Debian package puppetdb): nothing to compare with');
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measureSubject(
  subject: Subject,
  nodes: number,
  [firstMs, secondMs]: readonly [number, number],
): Promise<void> {
  try {
    console.log(`\n${subject.name}, ${nodes} nodes; idle ${memoryOf(subject)}`);
    const fleet = new BenchFleet();
    const taken = await measureIngest(subject, fleet, { nodes, round: 0, mostMs: firstMs });
    await measureQueries(subject, eventCountQueries);
    await measureIngest(subject, fleet, { nodes: taken, round: 1, mostMs: secondMs });
    if (subject.databasePid === undefined) await measurePace(subject, fleet, taken);
    await measureQueries(subject, dashboardQueries);
    console.log(`  afterwards ${memoryOf(subject)}`);
  } finally {
    await subject.stop();
  }
}

interface Runs {
  readonly nodes: number;
  readonly round: number;
  readonly mostMs: number;
}

/** @returns how many nodes have run */
async function measureIngest(
  subject: Subject,
  fleet: BenchFleet,
  { nodes, round, mostMs }: Runs,
): Promise<number> {
  const before = cpuOf(subject);
  const began = performance.now();
  let next = 0;
  const send = async (): Promise<void> => {
    while (next < nodes && performance.now() - began < mostMs) {
      for (const command of fleet.run(next++, round)) await submit(subject.url, command);
    }
  };
  await Promise.all(Array.from({ length: senders }, send));
  const seconds = (performance.now() - began) / 1000;
  const cpu = cpuOf(subject) - before;
  console.log(
    `  ${round === 0 ? 'first' : 'second'} runs of ${next} nodes: ${((next * 3) / cpu).toFixed(0)} commands/s of CPU, ` +
      `${((cpu * 1000) / next).toFixed(1)} ms of CPU a run, ${(next / seconds).toFixed(1)} runs/s, ${memoryOf(subject)}`,
  );
  return next;
}

/** Commands at the pace of a fleet, with what the process costs between them. */
async function measurePace(subject: Subject, fleet: BenchFleet, nodes: number): Promise<void> {
  const before = cpuOf(subject);
  const began = performance.now();
  let runs = 0;
  for (; performance.now() - began < paceMs; runs++) {
    for (const command of fleet.run(runs % nodes, 2)) await submit(subject.url, command);
    const nextAt = began + ((runs + 1) * pacedIntervalMs) / pacedNodes;
    await sleep(Math.max(nextAt - performance.now(), 0));
  }
  const seconds = (performance.now() - began) / 1000;
  const share = ((cpuOf(subject) - before) / seconds) * 100;
  console.log(
    `  ${pacedNodes} nodes every ${pacedIntervalMs / 60_000} minutes (${runs} runs in ${seconds.toFixed(0)} s): ${share.toFixed(1)} % of a core`,
  );
}

async function submit(
  url: string,
  { command, version, certname, body }: ReturnType<BenchFleet['run']>[number],
): Promise<void> {
  // The real one answers before it has carried a command out: it is waited for.
  const parameters = new URLSearchParams({
    command,
    version: String(version),
    certname,
    secondsToWaitForCompletion: '300',
  });
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${url}/pdb/cmd/v1?${parameters}`, { method: 'POST', headers, body });
  const text = await reply.text();
  if (!reply.ok) throw new Error(text);
}

async function measureQueries({ url }: Subject, queries: readonly DashboardQuery[]): Promise<void> {
  const found = await fetch(`${url}/pdb/query/v4/nodes/${node}`);
  const { latest_report_hash: hash } = (await found.json()) as { readonly latest_report_hash: string };
  for (const { name, path: template } of queries) {
    const path = template.replace(latestReport, hash);
    const times: number[] = [];
    let bytes = 0;
    const start = performance.now();
    for (let repetition = 0; repetition <= repetitions; repetition++) {
      if (repetition > 1 && performance.now() - start > queryMs) break;
      const began = performance.now();
      const reply = await fetch(`${url}${path}`);
      bytes = (await reply.text()).length;
      if (!reply.ok) throw new Error(`${name}: status ${reply.status}`);
      // The first one fills caches.
      if (repetition > 0) times.push(performance.now() - began);
    }
    times.sort((a, b) => a - b);
    const [median = 0, worst = 0] = [times[times.length >> 1], times.at(-1)];
    console.log(
      `  ${median.toFixed(1).padStart(8)} ms median ${worst.toFixed(1).padStart(8)} ms worst ${String(bytes).padStart(9)} bytes  ${name}`,
    );
  }
}

function cpuOf({ pid, databasePid }: Subject): number {
  return cpuSeconds([...processTree(pid), ...(databasePid === undefined ? [] : processTree(databasePid))]);
}

function memoryOf({ pid, databasePid }: Subject): string {
  const own = `${memoryMb([pid]).toFixed(0)} MB`;
  return databasePid === undefined
    ? own
    : `${own} and ${memoryMb(processTree(databasePid)).toFixed(0)} MB for PostgreSQL`;
}

async function startEmbedded(script: string, directory: string): Promise<Subject> {
  const path = join(directory, 'puppetdb.sqlite');
  const { url, child } = await startServer(script, { kind: 'sqlite', path });
  return {
    name: 'ours, embedded',
    url,
    pid: child.pid ?? 0,
    databasePid: undefined,
    async stop() {
      await ended(child);
      console.log(`  on disk: ${(statSync(path).size / 1e6).toFixed(0)} MB`);
    },
  };
}

async function startOnPostgres(script: string): Promise<Subject> {
  const postgres = await startPostgres({ isDurable: true });
  const { url, child } = await startServer(script, await postgres.createDatabase());
  return {
    name: 'ours, PostgreSQL',
    url,
    pid: child.pid ?? 0,
    databasePid: postgres.pid(),
    async stop() {
      await ended(child);
      await postgres.stop();
    },
  };
}

async function startReal(): Promise<Subject> {
  const { url, pid, postgres, stop } = await startRealPuppetDb(realHeapMb);
  return {
    name: `real PuppetDB (-Xmx${realHeapMb}m), PostgreSQL`,
    url,
    pid,
    databasePid: postgres.pid(),
    stop,
  };
}

async function startServer(
  script: string,
  location: DatabaseLocation,
): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [script, JSON.stringify(location)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('the server ended')));
  const [port] = (await Promise.race([once(child.stdout, 'data'), failed])) as [Buffer];
  failed.catch(() => undefined);
  return { url: `http://127.0.0.1:${String(port).trim()}`, child };
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

/** As it is shipped: from sources, a good part of the memory would be the compiler's. */
async function bundleServer(directory: string): Promise<string> {
  const bundle = await rolldown({
    input: {
      server: 'test/puppetdb/server-process.ts',
      'puppetdb-worker': 'src/services/puppetdb/threads/puppetdb-worker.ts',
    },
    platform: 'node',
    external: [/^node:/],
    logLevel: 'warn',
  });
  await bundle.write({ dir: directory, format: 'esm', entryFileNames: '[name].mjs' });
  await bundle.close();
  return join(directory, 'server.mjs');
}
