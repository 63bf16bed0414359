/**
 * `node test/filesync/large-file.ts [MIB]`: brings a file of MIB mebibytes (1024) to a compile server; says how long that took
 * and how much memory, and ends with 1 when the file did not arrive as it was, or when a process held more than a part of it.
 */

import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfChanged } from '../../scripts/bundle.ts';
import { faultsOf, largeFileRun } from './large-file-run.ts';

/** Whatever the size of the file. */
const allowedMib = { server: 100, git: 160 };

const [mib = 1024] = process.argv.slice(2).map(Number);
await buildIfChanged();
const project = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const run = await largeFileRun(project, project, mib);
const { committedMs, compileServer, gitMib, liveMs, primary } = run;
const faults = faultsOf(run, allowedMib);
console.log(`a file of ${mib} MiB: committed in ${seconds(committedMs)}, live after ${seconds(liveMs)}`);
console.log(`resident at most: primary ${primary.mostMib} MiB (before ${primary.beforeMib}), compile server \
${compileServer.mostMib} MiB (before ${compileServer.beforeMib}), a process of git ${gitMib} MiB`);
for (const fault of faults) console.log(`FAULT ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
