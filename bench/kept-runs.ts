/**
 * `npm run bench -- kept-runs [RUNS]`: what it costs a compile server and its primary to keep what agents say and do:
 * facts, catalog and report of a node with 500 resources, through the outbox into PuppetDB.
 *
 * The same runs three times: with nothing kept but facts, with catalogs that never change, with catalogs that change each
 * time. Agents ask one after another; time of the processor is that of each server with all its threads.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Installation } from '../demo/installation.ts';
import { freePort } from '../demo/ports.ts';
import { type CatalogAgent, catalogRequest, enrol, generatedNode, requestCatalog } from './catalog-agents.ts';
import { writeGeneratedEnvironment } from './compile-subjects.ts';
import { processUse } from './process-use.ts';

const project = resolve(import.meta.dirname, '..');
const resources = 500;
const warmUpRuns = 40;
/** What is on its way when the agents have their answers. */
const settleMs = 1500;

type Settings = Readonly<Record<string, string | number | boolean>>;

export async function measureKeptRuns(runs = 200): Promise<void> {
  await measure('facts alone are kept', runs, { storeconfigs: false, reports: 'none' }, 1);
  await measure('all is kept, nothing changes', runs, {}, 1);
  await measure('all is kept, each catalog differs', runs, {}, 2);
}

async function measure(name: string, runs: number, settings: Settings, variants: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-bench-kept-'));
  const code = join(directory, 'code');
  const node = writeGeneratedEnvironment(code).find((each) => each.resources === resources);
  if (node === undefined) throw new Error('there is no node of this size');
  const manifest = join(code, 'manifests', 'site.pp');
  writeFileSync(
    manifest,
    `${readFileSync(manifest, 'utf8')}\nnotify { 'run': message => "\${facts['run']}" }\n`,
  );
  const ports = { primary: await freePort(), compileServers: [await freePort()], balancer: await freePort() };
  const installation = new Installation({
    directory,
    project,
    node: process.execPath,
    ports,
    controlRepository: code,
    autosign: ['*.example.com'],
    settings: { ...settings, log_level: 'warn' },
  });
  try {
    await installation.start();
    const port = ports.compileServers[0] ?? 0;
    const enrolling = generatedNode(node, 'production');
    const agent = await enrol(enrolling, join(directory, 'primary', 'puppet', 'ssl'), ports.primary);
    const bodies = Array.from({ length: variants }, (_, run) =>
      catalogRequest({ ...enrolling, facts: { ...enrolling.facts, run: `number ${run}` } }),
    );
    await play(port, agent, bodies, warmUpRuns);
    await sleep(settleMs);
    const before = use(installation);
    const began = performance.now();
    await play(port, agent, bodies, runs);
    const seconds = (performance.now() - began) / 1000;
    await sleep(settleMs);
    const after = use(installation);
    const perRun = (index: 0 | 1) => ((1000 * (after[index] - before[index])) / runs).toFixed(1);
    console.log(
      `${name}: CPU for each run ${perRun(0)} ms on the compile server, ${perRun(1)} ms on the primary; ` +
        `${((1000 * seconds) / runs).toFixed(1)} ms from one run to the next`,
    );
    agent.client.close();
  } finally {
    await installation.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Seconds of the processor: of the compile server, of the primary. */
function use({ compileServers, primary }: Installation): readonly [number, number] {
  const of = (pid: number | undefined) => processUse(pid ?? 0).cpuSeconds;
  return [of(compileServers[0]?.pid), of(primary?.pid)];
}

async function play(
  port: number,
  agent: CatalogAgent,
  bodies: readonly string[],
  runs: number,
): Promise<void> {
  const sent = readFileSync(join(project, 'src', 'services', 'reports', 'recorded', 'report.json'), 'utf8');
  for (let run = 0; run < runs; run++) {
    const answer = await requestCatalog(port, { ...agent, body: bodies[run % bodies.length] ?? '' });
    if (typeof answer === 'string') throw new Error(answer);
    const { status } = await agent.client.send({
      method: 'PUT',
      url: `https://localhost:${port}/puppet/v3/report/${agent.certname}?environment=production`,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: sent.replace(/"transaction_uuid":"[^"]*"/, `"transaction_uuid":"${crypto.randomUUID()}"`),
    });
    if (status !== 200) throw new Error(`report: ${status}`);
  }
}
