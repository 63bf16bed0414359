/**
 * `node test/filesync/scale.ts [ENVIRONMENTS [FILES [LARGE_MIB]]]`: how long commits and their way to another server take with
 * 500 environments of 200 files each, and with one file of a gibibyte; how much memory this process needs for it.
 */

import { createHash } from 'node:crypto';
import { closeSync, createReadStream, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pipeline } from 'node:stream/promises';
import {
  deploy,
  diskUsage,
  FileSyncFixture,
  type Follower,
} from '../../src/services/filesync/filesync-fixture.testing.ts';
import type { FileSyncStorage } from '../../src/services/filesync/storage.ts';
import { stageVersion } from '../support/versioned-environment.ts';

const [environments = 500, files = 200, largeMib = 1024] = process.argv.slice(2).map(Number);
const size = { modules: 10, ballast: Math.max(0, Math.floor((files - 95) / 10)) };

await manyEnvironments();
await largeFile();

async function manyEnvironments(): Promise<void> {
  const fixture = new FileSyncFixture(process.env['PATH']);
  const directoryOf = (index: number) => join(fixture.staging, 'environments', `e${index}`);
  try {
    for (let index = 0; index < environments; index += 1) stageVersion(directoryOf(index), index % 10, size);
    console.log(`${environments} environments of about ${files} files each`);
    const storage = await timed('first commit', () => fixture.openStorage());
    const remote = fixture.remote(storage);
    await timed('first synchronisation of another server', () => remote.client.synchronise());
    await remote.client.idle();
    await timed('commit of everything, nothing changed', () => storage.commitAll(deploy));
    await change('commit of everything, one file of one environment changed', storage, remote, () =>
      writeFileSync(join(directoryOf(0), 'new'), 'n'),
    );
    await change('one file of every environment changed', storage, remote, () => {
      for (let index = 0; index < environments; index += 1)
        writeFileSync(join(directoryOf(index), 'new'), 'all');
    });
    await change('half of the environments deleted', storage, remote, () => {
      for (let index = 0; index < environments; index += 2) rmSync(directoryOf(index), { recursive: true });
    });
    console.log(
      `disk: storage ${mebibytes(fixture, 'storage')}, other server ${mebibytes(fixture, 'remote')} MiB`,
    );
  } finally {
    await fixture.remove();
  }
}

async function change(
  what: string,
  storage: FileSyncStorage,
  remote: Follower,
  make: () => void,
): Promise<void> {
  make();
  await timed(what, () => storage.commitAll(deploy));
  await timed('  live on another server', () => remote.client.synchronise());
  await timed('  tidied up there', () => remote.client.idle());
}

async function largeFile(): Promise<void> {
  const fixture = new FileSyncFixture(process.env['PATH']);
  const path = join(fixture.staging, 'environments/production/modules/m/files/large');
  try {
    mkdirSync(join(path, '..'), { recursive: true });
    const expected = writeLarge(path);
    console.log(`one file of ${largeMib} MiB; resident before ${residentMib()} MiB`);
    const storage = await timed('commit', () => fixture.openStorage());
    const remote = fixture.remote(storage);
    await timed('live on another server', () => remote.client.synchronise());
    const hash = createHash('sha256');
    const live = remote.versions.current('production')?.directory ?? '';
    await pipeline(createReadStream(join(live, 'modules/m/files/large')), hash);
    if (hash.digest('hex') !== expected) throw new Error('the large file is not the same');
    console.log(`resident afterwards, at most ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB`);
  } finally {
    await fixture.remove();
  }
}

/** Does not compress. @returns its SHA-256 */
function writeLarge(path: string): string {
  const hash = createHash('sha256');
  const file = openSync(path, 'w');
  let block = createHash('sha512').update('seed').digest();
  for (let index = 0; index < largeMib; index += 1) {
    const blocks: Buffer[] = [];
    for (let part = 0; part < 2 ** 10; part += 1) {
      block = createHash('sha512').update(block).digest();
      blocks.push(Buffer.concat(Array.from({ length: 16 }, () => block)));
    }
    const chunk = Buffer.concat(blocks);
    hash.update(chunk);
    writeSync(file, chunk);
  }
  closeSync(file);
  return hash.digest('hex');
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const stalls = monitorEventLoopDelay({ resolution: 2 });
  stalls.enable();
  const began = performance.now();
  const result = await work();
  const seconds = ((performance.now() - began) / 1000).toFixed(2);
  stalls.disable();
  const at = (percentile: number) => (stalls.percentile(percentile) / 1e6).toFixed(0);
  console.log(`${what.padEnd(58)} ${seconds.padStart(6)} s; stalls p99 ${at(99)} ms, at most ${at(100)} ms`);
  return result;
}

function mebibytes(fixture: FileSyncFixture, name: string): number {
  return Math.round(diskUsage(join(fixture.root, name)) / 2 ** 20);
}

function residentMib(): number {
  return Math.round(process.memoryUsage().rss / 2 ** 20);
}
