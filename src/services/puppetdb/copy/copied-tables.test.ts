import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate, openDirectDatabase, sql } from '../../../platform/storage/index.ts';
import { puppetDbMigrations } from '../schema.ts';
import { copiedTables } from './copied-tables.ts';

/** Another number on the other side: it is found anew. */
const foundAnew = 'pdb_nodes.latest_report_id';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-copied-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

test('every column of every table is copied', async () => {
  const database = await openDirectDatabase({ kind: 'sqlite', path: join(directory, 'db') }, 'writer');
  await migrate(database, puppetDbMigrations);

  const rows = await database.read(
    sql`select tables.name || '.' || columns.name as name
      from sqlite_master tables join pragma_table_info(tables.name) columns
      where tables.type = 'table' and tables.name like 'pdb\\_%' escape '\\'`,
  );
  await database.close();

  const copied = copiedTables.flatMap(({ columns, name }) =>
    Object.keys(columns).map((column) => `${name}.${column}`),
  );
  expect([...copied, foundAnew].toSorted()).toEqual(rows.map((row) => String(row['name'])).toSorted());
});
