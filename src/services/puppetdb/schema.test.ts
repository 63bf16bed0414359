import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrate, openSqliteDatabase, sql } from '../../platform/storage/index.ts';
import { puppetDbMigrations } from './schema.ts';

test('what an earlier release kept with sorted keys has them in the order in which they are answered', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'bunraku-puppetdb-schema-'));
  const database = await openSqliteDatabase({ path: join(directory, 'database.sqlite') });
  try {
    await migrate(
      database,
      puppetDbMigrations.filter(({ number }) => number < 5),
    );
    await database.write([
      sql`insert into pdb_facts (name, node_id, value)
        values (${'os'}, ${1}, ${'{"aaa":1.0,"b":[{"dd":1,"e":2}]}'}), (${'kernel'}, ${1}, ${'"{Linux}"'})`,
      sql`insert into pdb_parameters (resource, parameters) values (${'digest'}, ${'{"aa":{"cc":1,"d":2},"b":1}'})`,
      sql`insert into pdb_events (report_id, position, status, timestamp, resource_type, resource_title, new_value, old_value)
        values (${1}, ${0}, ${'success'}, ${''}, ${'Notify'}, ${'x'}, ${'{"aa":1,"b":2}'}, ${'null'})`,
    ]);

    await migrate(database, puppetDbMigrations);

    expect(await database.read(sql`select value from pdb_facts order by name`)).toEqual([
      { value: '"{Linux}"' },
      { value: '{"b":[{"e":2,"dd":1}],"aaa":1.0}' },
    ]);
    expect(await database.read(sql`select parameters from pdb_parameters`)).toEqual([
      { parameters: '{"b":1,"aa":{"d":2,"cc":1}}' },
    ]);
    expect(await database.read(sql`select new_value, old_value from pdb_events`)).toEqual([
      { new_value: '{"b":2,"aa":1}', old_value: 'null' },
    ]);
  } finally {
    await database.close();
    await rm(directory, { recursive: true, force: true });
  }
});
