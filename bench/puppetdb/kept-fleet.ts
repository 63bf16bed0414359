/**
 * Databases of PuppetDB with many nodes, kept below `.cache/bench` from one measurement to the next: each works on a copy. Those of
 * another day, or of another kind of fleet, are made anew.
 */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseLocation } from '../../src/platform/storage/index.ts';
import { cleanTasks } from '../../src/services/puppetdb/index.ts';
import { type RunningPostgres, startPostgres } from '../../test/support/running-postgres.ts';
import { type FleetSize, factsTextOf, fillPuppetDb, openForBench, reportOf } from './many-nodes.ts';

const project = join(import.meta.dirname, '..', '..');
const store = join(project, '.cache', 'bench');
/** Pages ask for what has happened in a day. */
const mostAgeMs = 18 * 3_600_000;

/** @param place - of the copy */
export async function copyKeptSqlite(size: FleetSize, place: string): Promise<void> {
  const kept = join(placeOf(size), 'sqlite');
  await make(kept, async (made) => {
    mkdirSync(made);
    await fill({ kind: 'sqlite', path: join(made, 'puppetdb.sqlite') }, size);
  });
  execFileSync('cp', ['--reflink=auto', join(kept, 'puppetdb.sqlite'), place]);
}

/** Starts a copy, which syncs. */
export async function startKeptPostgres(size: FleetSize): Promise<RunningPostgres> {
  const kept = join(placeOf(size), 'postgresql');
  await make(kept, async (made) => {
    const running = await startPostgres({ isDurable: false });
    try {
      await fill(await running.createDatabase(), size);
      await running.stopAndKeep(made);
    } catch (error) {
      await running.stop();
      throw error;
    }
  });
  return await startPostgres({ isDurable: true, copyOf: kept });
}

/** An interrupted seed leaves no directory that looks complete. */
async function make(kept: string, work: (made: string) => Promise<void>): Promise<void> {
  if (existsSync(kept)) {
    if (Date.now() - statSync(kept).mtimeMs < mostAgeMs) return;
    rmSync(kept, { recursive: true });
  }
  mkdirSync(join(kept, '..'), { recursive: true });
  const half = mkdtempSync(`${kept}-half-`);
  try {
    const made = join(half, 'database');
    await work(made);
    renameSync(made, kept);
  } finally {
    rmSync(half, { recursive: true, force: true });
  }
}

async function fill(location: DatabaseLocation, size: FleetSize): Promise<void> {
  const puppetDb = await openForBench(location);
  try {
    await fillPuppetDb(puppetDb, size);
    await puppetDb.admin.clean({ tasks: cleanTasks });
  } finally {
    await puppetDb.close();
  }
}

/** The name contains a digest of the sent data and of the tables. */
function placeOf({ catalogs, nodes }: FleetSize): string {
  const hash = createHash('sha256')
    .update(factsTextOf(1, ''))
    .update(JSON.stringify(reportOf(1, '')))
    .update(readFileSync(join(project, 'src/services/puppetdb/schema.ts')));
  return join(store, `${nodes}-nodes-${catalogs}-catalogs-${hash.digest('hex').slice(0, 12)}`);
}
