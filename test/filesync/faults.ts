/**
 * `node test/filesync/faults.ts [ROUNDS [SEED]]`: kills servers ROUNDS times in the middle of deploys (100 when absent), fills
 * their disks, and says what was seen. To fill disks it must be root.
 */

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfChanged } from '../../scripts/bundle.ts';
import { MersenneTwister } from '../../src/lib/mersenne-twister.ts';
import { canMount, codeDirectoryOf, SmallDisk } from './full-disk.ts';
import { fillAndFree } from './full-disk-rounds.ts';
import { killRounds } from './kill-rounds.ts';
import { WatchedInstallation } from './watched-installation.ts';

const project = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const [rounds = '100', seed = String(Date.now() % 1e6)] = process.argv.slice(2);
await buildIfChanged();
// A build beside a long run must not change what is tested.
const program = mkdtempSync(join(tmpdir(), 'bunraku-faults-program-'));
cpSync(join(project, 'dist'), join(program, 'dist'), { recursive: true });
const watched = await WatchedInstallation.prepare(program, project);
const disks = canMount()
  ? (['primary', 'compile1'] as const).map((name) => new SmallDisk(codeDirectoryOf(watched, name), 64))
  : [];
try {
  await watched.start();
  watched.beginWatching();
  const twister = new MersenneTwister(BigInt(seed));
  const result = await killRounds(watched, Number(rounds), () => twister.nextUint32() / 2 ** 32);
  const sorted = result.healedMs.toSorted((a, b) => a - b);
  console.log(`${result.rounds} kills (seed ${seed}); ${result.answered} commits were answered all the same`);
  console.log(`healed after median ${sorted[Math.floor(sorted.length / 2)]} ms, longest ${sorted.at(-1)} ms`);
  for (const [index, disk] of disks.entries())
    console.log(
      await fillAndFree(watched, disk, 1_000_000 + index * 10, index === 0 ? 'primary' : 'compile server'),
    );
  if (disks.length === 0) console.log('SKIPPED: to fill a disk needs root');
} finally {
  await watched.stop();
  for (const disk of disks) disk.unmount();
  rmSync(program, { recursive: true, force: true });
}
const { catalogs, faults, unanswered } = watched.watch;
console.log(`${catalogs} catalogs, each of one version; ${unanswered} requests to servers that were down`);
for (const fault of faults.slice(0, 20)) console.log(`FAULT ${fault}`);
if (faults.length === 0) watched.remove();
else console.log(`see ${watched.installation.options.directory}`);
process.exitCode = faults.length === 0 ? 0 : 1;
