import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, type Migration, migrate, openSqliteDatabase, sql } from './index.ts';

let directory: string;
let database: Database;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bunraku-migrate-'));
  database = await openSqliteDatabase({ path: join(directory, 'database.sqlite') });
});

afterEach(async () => {
  await database.close();
  await rm(directory, { recursive: true, force: true });
});

const first: Migration = {
  component: 'tests',
  number: 1,
  name: 'make the table',
  statements: ({ types }) => [`create table thing (id ${types.identity}, name ${types.text} not null)`],
};
const second: Migration = {
  component: 'tests',
  number: 2,
  name: 'add a column',
  statements: ({ types }) => [`alter table thing add column size ${types.integer}`],
};

test('migrations are applied once, in order', async () => {
  const before = await migrate(database, [first]);
  const later = await migrate(database, [first, second]);
  const again = await migrate(database, [first, second]);
  await database.write([sql`insert into thing (name, size) values (${'a'}, ${1})`]);

  expect([before, later, again]).toEqual([[first], [second], []]);
});

test('an older program leaves a newer schema alone', async () => {
  await migrate(database, [first, second]);

  expect(await migrate(database, [first])).toEqual([]);
});

test('a migration that was changed after its release is refused', async () => {
  await migrate(database, [first]);
  const changed: Migration = { ...first, statements: () => ['create table other (id integer)'] };

  await expect(migrate(database, [changed])).rejects.toThrow(
    'migration tests 1 (make the table) was changed after it had been applied',
  );
});

test('a migration that fails leaves nothing behind', async () => {
  const broken: Migration = {
    ...second,
    statements: () => ['create table half (id integer)', 'create table thing (id integer)'],
  };
  await migrate(database, [first]);

  await expect(migrate(database, [first, broken])).rejects.toThrow('table thing already exists');
  const rows = await database.read(sql`select name from sqlite_master where name = ${'half'}`);
  expect(rows).toEqual([]);
});

test('gaps in the numbers are refused', async () => {
  await expect(migrate(database, [second])).rejects.toThrow('migration tests 2: expected number 1');
});

test('two programs that start at once apply each migration once', async () => {
  const other = await openSqliteDatabase({ path: join(directory, 'database.sqlite') });

  const [one, two] = await Promise.all([migrate(database, [first, second]), migrate(other, [first, second])]);
  await other.close();

  expect([...one, ...two].map(({ number }) => number).toSorted((a, b) => a - b)).toEqual([1, 2]);
});
