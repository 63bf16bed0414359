/**
 * A PuppetDB with many nodes in this process: the recorded facts of a small node under other names, and the report of a run.
 * Some nodes have the recorded catalog and report of a small or typical node as well.
 */

import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../src/platform/log/index.ts';
import type { DatabaseLocation } from '../../src/platform/storage/index.ts';
import { ownPuppetDb } from '../../src/server/node-data/own-termini.ts';
import type { UsedPuppetDb } from '../../src/server/node-data/used-puppetdb.ts';
import { openPuppetDb, type PuppetDb } from '../../src/services/puppetdb/index.ts';

const recordedSizes = ['small', 'small', 'small', 'typical'] as const;
/** Of each node: the recorded facts, and so many more. */
const factsOfNode = 200;
/** One in so many of the further facts is different on each node. */
const ownFactEvery = 8;
const sendersAtOnce = 16;
/** One in so many nodes. */
const statuses = [
  { every: 97, status: 'failed' },
  { every: 31, status: 'changed' },
] as const;

export interface ManyNodes {
  readonly puppetDb: PuppetDb;
  readonly asked: UsedPuppetDb;
  stop(): Promise<void>;
}

export function nameOf(node: number): string {
  return `${['web', 'db', 'app'][node % 3]}${String(node).padStart(5, '0')}.example.test`;
}

/** Settings of a primary whose PuppetDB is asked without a port. */
export function puppetDbSettings(directory: string) {
  return {
    certname: 'primary.example.test',
    confDir: directory,
    puppetDbPort: 0,
    serverPort: 8140,
    storeConfigs: true,
    storeConfigsBackend: 'puppetdb',
  };
}

/** @param count - of nodes; 50,000 take two minutes and 1.5 GB of disk */
export async function startManyNodes(count: number): Promise<ManyNodes> {
  const directory = await mkdtemp(join(tmpdir(), 'bunraku-many-nodes-'));
  const puppetDb = await openForBench({ kind: 'sqlite', path: join(directory, 'puppetdb.sqlite') });
  await fillPuppetDb(puppetDb, { nodes: count, catalogs: 0 });
  return {
    puppetDb,
    asked: ownPuppetDb(puppetDbSettings(directory), puppetDb, silentLogger),
    async stop() {
      await puppetDb.close();
      await rm(directory, { recursive: true });
    },
  };
}

/** Opens the PuppetDB of a bench in this process. */
export async function openForBench(location: DatabaseLocation): Promise<PuppetDb> {
  let commands = 0;
  return await openPuppetDb({
    location,
    workerUrl: new URL('../../src/services/puppetdb/threads/puppetdb-worker.ts', import.meta.url),
    log: silentLogger,
    now: () => new Date(),
    newId: () => `00000000-0000-4000-8000-${String(++commands).padStart(12, '0')}`,
    queryThreads: 1,
    queryTimeoutMs: 600_000,
    lifetimes: {},
  });
}

export interface FleetSize {
  readonly nodes: number;
  /** So many of the nodes have a catalog, and a report with events. */
  readonly catalogs: number;
}

/** Stores facts and a report of each node, and the catalogs. */
export async function fillPuppetDb(puppetDb: PuppetDb, { catalogs, nodes }: FleetSize): Promise<void> {
  const startedMs = performance.now();
  await inTurns(nodes, async (node) => {
    await sendFacts(puppetDb, node);
    await sendReport(puppetDb, node);
  });
  const every = catalogs === 0 ? 0 : Math.floor(nodes / catalogs);
  await inTurns(catalogs, async (index) => await sendCatalog(puppetDb, index * every));
  const seconds = (performance.now() - startedMs) / 1000;
  console.log(`${nodes} nodes, ${catalogs} with catalogs, were stored in ${seconds.toFixed(0)} s`);
}

async function inTurns(count: number, send: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const sender = async () => {
    while (next < count) await send(next++);
  };
  await Promise.all(Array.from({ length: sendersAtOnce }, sender));
}

/** The recorded facts as text, with further ones whose values say which node has them. */
function moreFacts(): string {
  const recorded = readRecorded('replace_facts-small');
  const known = Object.keys((JSON.parse(recorded) as { readonly values: object }).values).length;
  const further = Array.from({ length: factsOfNode - known }, (_, index) => {
    const value = index % ownFactEvery === 0 ? nameOfSmall : `value ${index}`;
    return `"site_fact_${index}":"${value}",`;
  });
  return recorded.replace(/"values":\s*\{/, `"values":{${further.join('')}`);
}

const nameOfSmall = 'small0001.bench.test';

function readRecorded(name: string): string {
  const file = new URL(`../../test/recorded/puppetdb/payloads/${name}.json`, import.meta.url);
  return readFileSync(file, 'utf8');
}

/** Nodes run one after another over half an hour. */
function lastRunOf(node: number): string {
  return new Date(Date.now() - (node % 1800) * 1000).toISOString();
}

async function sendFacts(puppetDb: PuppetDb, node: number): Promise<void> {
  const payload = Buffer.from(factsTextOf(node, lastRunOf(node)));
  await puppetDb.submit({ command: 'replace_facts', version: 5, certname: nameOf(node), payload });
}

let factsOfAll: string | undefined;

/** The facts that a node sends at a time, as the command has them. */
export function factsTextOf(node: number, time: string): string {
  factsOfAll ??= moreFacts();
  return factsOfAll
    .replaceAll(nameOfSmall, nameOf(node))
    .replace(/"producer_timestamp":\s*"[^"]*"/, `"producer_timestamp":"${time}"`)
    .replace(/"values":\s*\{/, `"values":{"role":"role${node % 300}","rack":${node % 40},`);
}

async function sendReport(puppetDb: PuppetDb, node: number): Promise<void> {
  const payload = Buffer.from(JSON.stringify(reportOf(node, lastRunOf(node))));
  await puppetDb.submit({ command: 'store_report', version: 8, certname: nameOf(node), payload });
}

/** What a run of a node that touched no resource sends. @param run - the number of the run */
export function reportOf(node: number, time: string, run = 1): Readonly<Record<string, unknown>> {
  const status = statuses.find(({ every }) => node % every === 0)?.status ?? 'unchanged';
  return {
    certname: nameOf(node),
    environment: node % 10 === 0 ? 'testing' : 'production',
    producer: 'primary.example.test',
    producer_timestamp: time,
    puppet_version: '8.10.0',
    report_format: 12,
    configuration_version: '1',
    start_time: time,
    end_time: time,
    transaction_uuid: `${nameOf(node)}-${run}`,
    status,
    noop: false,
    noop_pending: false,
    corrective_change: status === 'changed' && node % 2 === 0,
    metrics: [],
    logs: [],
    resources: [],
  };
}

const recorded = new Map<string, string>();
const recordedHour = /2026-11-21T10:/g;

/** Its runs are after those that `sendReport` stores. */
function lastHour(): string {
  return new Date().toISOString().slice(0, '2026-11-21T10:'.length);
}

async function sendCatalog(puppetDb: PuppetDb, node: number): Promise<void> {
  const certname = nameOf(node);
  const size = recordedSizes[node % recordedSizes.length] ?? 'small';
  for (const [command, version] of [
    ['replace_catalog', 9],
    ['store_report', 8],
  ] as const) {
    const name = `${command}-${size}`;
    const text = recorded.get(name) ?? readRecorded(name);
    recorded.set(name, text);
    const payload = text
      .replaceAll(new RegExp(`${size}\\d{4}\\.bench\\.test`, 'g'), certname)
      .replaceAll(recordedHour, lastHour());
    await puppetDb.submit({ command, version, certname, payload: Buffer.from(payload) });
  }
}

/** The longest time that the main thread was not free, in milliseconds, while something ran; and how long that took. */
export async function timed<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly ms: number; readonly stallMs: number }> {
  let stallMs = 0;
  let lastMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    stallMs = Math.max(stallMs, nowMs - lastMs - 1);
    lastMs = nowMs;
  }, 1);
  const startedMs = performance.now();
  const result = await work();
  const ms = performance.now() - startedMs;
  await new Promise((resolve) => setTimeout(resolve, 5));
  clearInterval(timer);
  return { result, ms, stallMs };
}
