/**
 * `npm run bench -- console-runs [REPORTS]`: how long an embedded PuppetDB counts the runs of six hours, which it does when somebody first
 * looks at the overview, and those of the last two quarters of an hour, which it does every five minutes. 600,000 reports when
 * not said: 50,000 nodes that run twice an hour.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../src/platform/log/index.ts';
import { type DatabaseLocation, fixedSql, openDirectDatabase } from '../../src/platform/storage/index.ts';
import { consoleNodes } from '../../src/server/node-data/console-nodes.ts';
import { ownPuppetDb } from '../../src/server/node-data/own-termini.ts';
import { fillPuppetDb, openForBench, puppetDbSettings } from '../puppetdb/many-nodes.ts';

const hourMs = 3_600_000;
const quarterMs = hourMs / 4;
const rounds = 5;

export async function measureRunCounts([count = 600_000]: readonly number[]): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'bunraku-run-counts-'));
  const location: DatabaseLocation = { kind: 'sqlite', path: join(directory, 'puppetdb.sqlite') };
  const puppetDb = await openForBench(location);
  try {
    await fillPuppetDb(puppetDb, { nodes: 1, catalogs: 0 });
    const nowMs = Date.now();
    await addReports(location, count, nowMs - 6 * hourMs);
    const { runs } = consoleNodes(
      ownPuppetDb(puppetDbSettings(directory), puppetDb, silentLogger).compiler,
      () => () => {},
    );
    const measure = async (what: string, endedFromMs: number) => {
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const startedMs = performance.now();
        const { signal } = new AbortController();
        await runs({ endedFromMs, producedFromMs: nowMs - 60_000 }, signal);
        times.push(performance.now() - startedMs);
      }
      const [first = 0] = times;
      const [middle = 0] = times.toSorted((a, b) => a - b).slice(rounds / 2);
      console.log(`${what}: ${first.toFixed(0)} ms the first time, ${middle.toFixed(0)} ms in the middle`);
    };
    await measure('six hours', nowMs - 6 * hourMs);
    await measure('the last two quarters', nowMs - 2 * quarterMs);
  } finally {
    await puppetDb.close();
    await rm(directory, { recursive: true });
  }
}

/** Copies the existing report evenly over six hours, which is faster than storing each. */
async function addReports(location: DatabaseLocation, count: number, beginMs: number): Promise<void> {
  const database = await openDirectDatabase(location, 'writer');
  const [report] = await database.read(fixedSql('select * from pdb_reports limit 1'));
  const changed = ['id', 'hash', 'end_time', 'producer_timestamp'];
  const same = Object.keys(report ?? {}).filter((column) => !changed.includes(column));
  const seconds = `${beginMs / 1000} + number * ${(6 * hourMs) / 1000 / count}`;
  const time = `strftime('%Y-%m-%dT%H:%M:%S.000000Z', ${seconds}, 'unixepoch')`;
  await database.write([
    fixedSql(`insert into pdb_reports (hash, end_time, producer_timestamp, ${same.join(', ')})
      with recursive numbers(number) as (select 1 union all select number + 1 from numbers where number < ${count})
      select 'copy' || number, ${time}, ${time}, ${same.map((column) => `r.${column}`).join(', ')}
      from numbers, (select * from pdb_reports limit 1) r`),
  ]);
  await database.close();
}
