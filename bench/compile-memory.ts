/**
 * `node bench/compile-memory.ts CATALOGS`: the memory of a process with one compile worker, after each tenth of so many
 * catalogs, as a server makes them: asked for and answered by messages, bytes transferred and given back.
 */

import { rmSync } from 'node:fs';
import { ParseCache } from '../src/language/environment/index.ts';
import type { CompileRequest } from '../src/language/evaluator/index.ts';
import { silentLogger } from '../src/platform/log/index.ts';
import { type CompileJob, type EnvironmentSource, WorkerPool } from '../src/services/compiler/index.ts';
import { generatedSubjects } from './compile-subjects.ts';

const catalogs = Number(process.argv[2]);
const { directory, subjects } = generatedSubjects();
const [smallest] = subjects;
const [request] = smallest?.open(new ParseCache()) ?? [];
if (smallest === undefined || request === undefined) throw new Error('there is nothing to compile');
const pool = new WorkerPool({
  workers: 1,
  workerUrl: new URL('../src/services/compiler/compile-worker.ts', import.meta.url),
  timeoutMs: 600_000,
  maxQueued: 100,
  maxHeapMiB: 512,
  log: silentLogger,
});
const source = sourceOf(request);
const job = jobOf(request);

console.log(`memory of a process with one compile worker (${smallest.name}):`);
let done = 0;
for (let step = 0; step <= 10; step += 1) {
  const wanted = Math.max(200, (catalogs * step) / 10);
  for (; done < wanted; done += 1) {
    const { catalog } = await pool.compile(source, job);
    // As a server does when it has compressed it.
    if (catalog.buffer instanceof ArrayBuffer) catalog.buffer.transfer(0);
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  console.log(
    `  ${String(done).padStart(6)} catalogs: resident ${mebibytes(rss)} MiB, ` +
      `heap of the main thread ${mebibytes(heapUsed)} MiB, outside of it ${mebibytes(external)} MiB`,
  );
}
await pool.close();
rmSync(directory, { recursive: true, force: true });

function sourceOf({ environment: { config } }: CompileRequest): EnvironmentSource {
  return { key: config.name, physicalDirectory: config.directory, config };
}

function jobOf({ certname, facts, trusted, serverFacts, node }: CompileRequest): CompileJob {
  return {
    certname,
    facts: JSON.stringify(facts),
    trusted,
    serverFacts,
    node: JSON.stringify(node),
    format: 'rich_data_json',
  };
}

function mebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}
