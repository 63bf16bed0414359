/** A PuppetDB with many nodes in this process: the recorded facts of a small node under other names, and the report of a run. */

import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../src/platform/log/index.ts';
import { ownPuppetDb } from '../../src/server/node-data/own-termini.ts';
import type { UsedPuppetDb } from '../../src/server/node-data/used-puppetdb.ts';
import { openPuppetDb, type PuppetDb } from '../../src/services/puppetdb/index.ts';

const facts = new URL('../../test/recorded/puppetdb/payloads/replace_facts-small.json', import.meta.url);
const recordedName = 'small0001.bench.test';
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

/** @param count - of nodes; 50,000 take two minutes and 1.5 GB of disk */
export async function startManyNodes(count: number): Promise<ManyNodes> {
  const directory = await mkdtemp(join(tmpdir(), 'bunraku-many-nodes-'));
  let commands = 0;
  const puppetDb = await openPuppetDb({
    location: { kind: 'sqlite', path: join(directory, 'puppetdb.sqlite') },
    workerUrl: new URL('../../src/services/puppetdb/threads/puppetdb-worker.ts', import.meta.url),
    log: silentLogger,
    now: () => new Date(),
    newId: () => `00000000-0000-4000-8000-${String(++commands).padStart(12, '0')}`,
    queryThreads: 1,
    queryTimeoutMs: 600_000,
    lifetimes: {},
  });
  const settings = {
    certname: 'primary.example.test',
    confDir: directory,
    puppetDbPort: 0,
    serverPort: 8140,
    storeConfigs: true,
    storeConfigsBackend: 'puppetdb',
  };
  const startedMs = performance.now();
  await sendAll(puppetDb, count);
  const seconds = (performance.now() - startedMs) / 1000;
  console.log(`${count} nodes with facts and a report were stored in ${seconds.toFixed(0)} s`);
  return {
    puppetDb,
    asked: ownPuppetDb(settings, puppetDb, silentLogger),
    async stop() {
      await puppetDb.close();
      await rm(directory, { recursive: true });
    },
  };
}

async function sendAll(puppetDb: PuppetDb, count: number): Promise<void> {
  const recorded = readFileSync(facts, 'utf8');
  let next = 0;
  const send = async () => {
    while (next < count) await sendNode(puppetDb, recorded, next++);
  };
  await Promise.all(Array.from({ length: sendersAtOnce }, send));
}

async function sendNode(puppetDb: PuppetDb, recorded: string, node: number): Promise<void> {
  const certname = nameOf(node);
  const time = new Date(Date.now() - (node % 1800) * 1000).toISOString();
  const text = recorded
    .replaceAll(recordedName, certname)
    .replace(/"producer_timestamp":\s*"[^"]*"/, `"producer_timestamp":"${time}"`)
    .replace(/"values":\s*\{/, `"values":{"role":"role${node % 300}","rack":${node % 40},`);
  await puppetDb.submit({ command: 'replace_facts', version: 5, certname, payload: Buffer.from(text) });
  const status = statuses.find(({ every }) => node % every === 0)?.status ?? 'unchanged';
  const report = {
    certname,
    environment: node % 10 === 0 ? 'testing' : 'production',
    producer: 'primary.example.test',
    producer_timestamp: time,
    puppet_version: '8.10.0',
    report_format: 12,
    configuration_version: '1',
    start_time: time,
    end_time: time,
    transaction_uuid: `${certname}-1`,
    status,
    noop: false,
    noop_pending: false,
    corrective_change: status === 'changed' && node % 2 === 0,
    metrics: [],
    logs: [],
    resources: [],
  };
  const payload = Buffer.from(JSON.stringify(report));
  await puppetDb.submit({ command: 'store_report', version: 8, certname, payload });
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
