/** Databases that are worked with in one thread: the same promises on both. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type DirectDatabase,
  fixedSql,
  migrate,
  openDirectDatabase,
  sql,
} from '../../src/platform/storage/index.ts';
import { backends } from '../support/backends.ts';

const installed = backends.filter(({ isInstalled }) => isInstalled);

describe.each(installed.map((backend) => [backend.name, backend] as const))('%s', (_name, backend) => {
  let database: DirectDatabase;
  let directory: string;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bunraku-direct-'));
    const started = await backend.start();
    stop = started.stop;
    const location = started.location ?? { kind: 'sqlite', path: join(directory, 'database.sqlite') };
    database = await openDirectDatabase(location, 'writer');
    const { types } = database.dialect;
    await database.write([
      fixedSql(`create table thing (name ${types.text} primary key, size ${types.integer})`),
    ]);
  });

  beforeEach(() => database.write([sql`delete from thing`]));

  afterAll(async () => {
    await database.close();
    await stop();
    await rm(directory, { recursive: true, force: true });
  });

  const insert = (name: string) => sql`insert into thing (name, size) values (${name}, ${1})`;
  const names = async (): Promise<readonly unknown[]> =>
    (await database.read(sql`select name from thing order by name`)).map(({ name }) => name);

  test('a transaction sees what it wrote, others see it when it has ended', async () => {
    const seen = await database.transaction(async (transaction) => {
      await transaction.run(insert('a'));
      return await transaction.read(sql`select name from thing`);
    });

    expect(seen).toHaveLength(1);
    expect(await names()).toEqual(['a']);
  });

  test('a transaction that throws is undone alone', async () => {
    const outcomes = await Promise.allSettled([
      database.write([insert('one')]),
      database.transaction(async (transaction) => {
        await transaction.run(insert('two'));
        throw new Error('not this one');
      }),
      database.write([insert('three'), insert('three')]),
      database.write([insert('four')]),
    ]);

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: { message: 'not this one' } });
    expect(outcomes[2]).toMatchObject({ reason: { reason: 'conflict' } });
    expect(await names()).toEqual(['four', 'one']);
  });

  // On SQLite one thread with two writers would wait for itself; `migrate.test.ts` has threads.
  if (backend.name === 'PostgreSQL') {
    test('programs that start at once on an empty database apply each migration once', async () => {
      const { location, stop: end } = await backend.start();
      if (location === undefined) throw new Error('PostgreSQL has a location');
      const migrations = [
        {
          component: 'tests',
          number: 1,
          name: 'a table',
          statements: () => ['create table other (id integer)'],
        },
      ];
      const programs = await Promise.all([0, 1, 2, 3].map(() => openDirectDatabase(location, 'writer')));

      const applied = await Promise.all(programs.map((program) => migrate(program, migrations)));
      for (const program of programs) await program.close();
      await end();

      expect(applied.flat()).toHaveLength(1);
    });
  }

  test('rows that are sent as one value are a table', async () => {
    const rows = database.dialect.rows(
      JSON.stringify([
        ['a', 5, true],
        ['b', null, false],
      ]),
      ['text', 'integer', 'boolean'],
    );

    const read = await database.read(sql`select v0, v1, position from ${rows} sent order by position`);

    expect(read.map((row) => ({ ...row }))).toEqual([
      { v0: 'a', v1: 5, position: 0 },
      { v0: 'b', v1: null, position: 1 },
    ]);
  });

  test('long answers come in parts, in order, and may be left', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => [
      `${String(index).padStart(4, '0')}${'x'.repeat(300)}`,
    ]);
    const rows = database.dialect.rows(JSON.stringify(many), ['text']);
    await database.write([
      sql`insert into thing (name, size) select v0, cast(${1} as bigint) from ${rows} sent where true`,
    ]);
    const read: unknown[] = [];
    let parts = 0;

    for await (const part of database.stream(sql`select name from thing order by name`)) {
      parts++;
      read.push(...part.map(({ name }) => name));
    }
    for await (const part of database.stream(sql`select name from thing`)) if (part.length > 0) break;
    const texts: string[] = [];
    const sized = sql`select name, size from thing order by name`;
    for await (const part of database.streamText(
      sized,
      ([name, size]) => `${String(size)} ${String(name)}`,
    )) {
      texts.push(...part);
    }

    expect(parts).toBeGreaterThan(2);
    expect(read).toEqual(many.flat());
    expect(texts).toEqual(many.flat().map((name) => `1 ${name}`));
    expect(await names()).toHaveLength(3000);
  });
});
