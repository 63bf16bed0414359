/** From one database to the other and back: everything is there, also after an interruption. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DatabaseLocation, migrate, openDirectDatabase, sql } from '../../src/platform/storage/index.ts';
import { copyPuppetDb, puppetDbMigrations } from '../../src/services/puppetdb/index.ts';
import { postgresPrograms, type RunningPostgres, startPostgres } from '../support/running-postgres.ts';
import { comparableRows } from './comparable.ts';
import { recordedCommands } from './recorded-fleet.ts';
import { startPuppetDb } from './running-puppetdb.ts';

const queries = [
  'nodes{}',
  'facts{}',
  'factsets[certname, hash, timestamp, producer_timestamp]{}',
  'catalogs{}',
  'resources{}',
  'reports{}',
  'events{}',
  'package_inventory{}',
  '["from","catalog_inputs"]',
  '["from","nodes",["=","node_state","inactive"]]',
];

const isSkipped = postgresPrograms === undefined;
const name = 'a database is copied and copied back (skipped without PostgreSQL)';
let postgres: RunningPostgres;
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-copy-'));
  if (!isSkipped) postgres = await startPostgres({ isDurable: false });
});

afterAll(async () => {
  if (!isSkipped) await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
});

test.skipIf(isSkipped)(name, async () => {
  const places: readonly DatabaseLocation[] = [
    { kind: 'sqlite', path: join(directory, 'first.sqlite') },
    await postgres.createDatabase(),
    { kind: 'sqlite', path: join(directory, 'second.sqlite') },
  ];
  const [first] = places as [DatabaseLocation];
  await fill(first);
  const expected = await answers(first);

  for (const [index, to] of places.entries()) {
    const from = places[index - 1];
    if (from === undefined) continue;
    const interruption = new AbortController();
    const cut = copyPuppetDb({
      from,
      to,
      onProgress: (table) => (table === 'pdb_events' ? interruption.abort() : undefined),
      signal: interruption.signal,
    });
    await expect(cut).rejects.toThrow(/abort/);
    const counts = await copyPuppetDb({
      from,
      to,
      onProgress: () => undefined,
      signal: new AbortController().signal,
    });

    expect(counts.find(({ table }) => table === 'pdb_dead_letters')?.rows).toBe(1);
    expect(counts.find(({ table }) => table === 'pdb_events')?.rows).toBeGreaterThan(40);
    const found = await answers(to);
    for (const query of queries) expect(found.get(query), query).toEqual(expected.get(query));
    await expect(
      copyPuppetDb({ from, to, onProgress: () => undefined, signal: new AbortController().signal }),
    ).rejects.toThrow('holds data already');
  }
  // What is written afterwards gets numbers of its own.
  const [, last] = places as [DatabaseLocation, DatabaseLocation];
  await fill(last, 'again.example');
  expect((await answers(last)).get('nodes{}')).toHaveLength(
    (expected.get('nodes{}') as unknown[]).length + 1,
  );
});

async function fill(location: DatabaseLocation, renamed?: string): Promise<void> {
  const { puppetDb, stop } = await startPuppetDb(location);
  for (const { command, version, certname, body } of recordedCommands()) {
    if (body.length > 300_000 || (renamed !== undefined && certname !== 'exp1.bench.test')) continue;
    const payload = Buffer.from(renamed === undefined ? body : body.replaceAll(certname, renamed));
    await puppetDb.submit({ command, version: Number(version), certname: renamed ?? certname, payload });
  }
  const packages = {
    certname: 'p.example',
    producer_timestamp: '2026-11-21',
    values: { a: 4096.0, ü: [1.5e3] },
  };
  const facts = { ...packages, package_inventory: [['bash', '5', 'apt']] };
  const inputs = {
    certname: 'p.example',
    producer_timestamp: '2026-11-21',
    catalog_uuid: 'u',
    inputs: [['a', 'b']],
  };
  for (const [command, version, body] of [
    ['replace_facts', 5, facts],
    ['replace_catalog_inputs', 1, inputs],
    ['replace_facts', 5, { certname: 'bad' }],
  ] as const) {
    if (renamed !== undefined) break;
    const payload = Buffer.from(JSON.stringify(body));
    await puppetDb.submit({ command, version, certname: 'p.example', payload });
  }
  await stop();
}

async function answers(location: DatabaseLocation): Promise<ReadonlyMap<string, unknown>> {
  const { puppetDb, stop } = await startPuppetDb(location);
  const found = new Map<string, unknown>();
  for (const query of queries) found.set(query, comparableRows(await puppetDb.query(query)));
  await stop();
  return found;
}

test('a database of an earlier release is brought up to date before it is copied', async () => {
  const [from, to] = ['old', 'new'].map(
    (file): DatabaseLocation => ({ kind: 'sqlite', path: join(directory, `${file}.sqlite`) }),
  );
  const old = await openDirectDatabase(from as DatabaseLocation, 'writer');
  await migrate(old, puppetDbMigrations.slice(0, 1));
  await old.write([sql`insert into pdb_nodes (certname, expires_facts) values (${'a.example'}, ${true})`]);
  await old.close();

  const counts = await copyPuppetDb({
    from: from as DatabaseLocation,
    to: to as DatabaseLocation,
    onProgress: () => undefined,
    signal: new AbortController().signal,
  });

  expect(counts).toContainEqual({ table: 'pdb_nodes', rows: 1 });
});
