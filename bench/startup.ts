/**
 * `npm run bench -- startup`: from the start of a compile server's process to its first 200 on `/status/v1/simple` and
 * to its first catalog; resident memory idle and after 1,000 catalogs.
 *
 * The code is the example control repository, the node a simulated one. Each start is of a compile server that has its
 * certificate and its code already, as after a reboot; the first start of a primary, with the making of its CA, is
 * measured apart.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Installation, isReady } from '../demo/installation.ts';
import { freePort } from '../demo/ports.ts';
import { SimulatedAgent } from '../demo/simulated-agent.ts';
import { simulatedFacts } from '../demo/simulated-facts.ts';
import { silentLogger } from '../src/platform/log/index.ts';

const starts = 5;
const catalogs = 1000;
const certname = 'web01.bench.test';
const project = dirname(dirname(fileURLToPath(import.meta.url)));

export async function measureStartup(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-bench-'));
  const installation = new Installation({
    directory,
    project,
    node: process.execPath,
    ports: { primary: await freePort(), compileServers: [await freePort()], balancer: await freePort() },
    controlRepository: join(project, 'examples', 'control-repo'),
    autosign: ['*.bench.test'],
  });
  try {
    const firstMs = await timed(() => installation.startPrimary());
    console.log(`primary, first start (with its CA), to ready: ${Math.round(firstMs)} ms`);
    await installation.startCompileServer(0);
    await measureRestarts(installation);
    await measureMemory(installation);
  } finally {
    await installation.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measureRestarts(installation: Installation): Promise<void> {
  const agent = createAgent(installation);
  await agent.run();
  const ready: number[] = [];
  const compiled: number[] = [];
  for (let round = 0; round < starts; round += 1) {
    await installation.compileServers[0]?.stop();
    const began = performance.now();
    await installation.startCompileServer(0);
    ready.push(performance.now() - began);
    await agent.fetchOneCatalog();
    compiled.push(performance.now() - began);
  }
  agent.close();
  console.log(`compile server, start to first 200:     ${spread(ready)} ms`);
  console.log(`compile server, start to first catalog: ${spread(compiled)} ms`);
}

async function measureMemory(installation: Installation): Promise<void> {
  await installation.compileServers[0]?.stop();
  await installation.startCompileServer(0);
  const pid = installation.compileServers[0]?.pid ?? 0;
  console.log(`compile server, resident, idle:          ${residentMiB(pid)} MiB`);
  console.log(`primary, resident, idle:                 ${residentMiB(installation.primary?.pid ?? 0)} MiB`);
  const agent = createAgent(installation);
  const began = performance.now();
  for (let count = 0; count < catalogs; count += 1) await agent.fetchOneCatalog();
  const seconds = (performance.now() - began) / 1000;
  agent.close();
  console.log(`compile server, resident, after ${catalogs}:    ${residentMiB(pid)} MiB`);
  console.log(`one client, one after another:           ${Math.round(catalogs / seconds)} catalogs/s`);
  if (!(await isReady(installation.compileServerUrl(0)))) throw new Error('the compile server is not well');
}

function createAgent(installation: Installation): SimulatedAgent {
  return new SimulatedAgent({
    certname,
    sslDir: join(installation.options.directory, 'agent', 'ssl'),
    serverUrl: installation.compileServerUrl(0),
    environment: 'production',
    facts: simulatedFacts(certname, 0),
    log: silentLogger,
    signal: new AbortController().signal,
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b).map((value) => Math.round(value));
  return `median ${sorted[Math.floor(sorted.length / 2)]}, ${sorted[0]} to ${sorted.at(-1)} (${sorted.length} starts)`;
}

function residentMiB(pid: number): number {
  const match = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(match?.[1] ?? 0) / 1024);
}
