/** `node --expose-gc bench/compile-memory.ts CATALOGS`: memory before and after that many catalogs, in a process of its own. */

import { rmSync } from 'node:fs';
import { renderCatalog } from '../src/language/catalog/index.ts';
import { ParseCache } from '../src/language/environment/index.ts';
import { compileCatalog } from '../src/language/evaluator/index.ts';
import { generatedSubjects } from './compile-subjects.ts';

const catalogs = Number(process.argv[2]);
const { directory, subjects } = generatedSubjects();
const [smallest] = subjects;
if (smallest === undefined || globalThis.gc === undefined) throw new Error('start me with --expose-gc');
const requests = smallest.open(new ParseCache());

compileAll(200);
const before = collected();
compileAll(catalogs);
const after = collected();
console.log(`memory over ${catalogs} catalogs (${smallest.name}), garbage collected before and after:`);
console.log(`  heap ${mebibytes(before.heapUsed)} MiB, then ${mebibytes(after.heapUsed)} MiB`);
console.log(`  resident ${mebibytes(before.rss)} MiB, then ${mebibytes(after.rss)} MiB`);
rmSync(directory, { recursive: true, force: true });

function compileAll(count: number): void {
  for (let done = 0; done < count; done += requests.length)
    for (const request of requests)
      renderCatalog(compileCatalog(request).catalog, 'application/vnd.puppet.rich+json');
}

function collected(): NodeJS.MemoryUsage {
  globalThis.gc?.();
  return process.memoryUsage();
}

function mebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}
