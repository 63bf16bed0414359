/** Copies everything from one database to another, of the other kind or the same. */

import {
  type DatabaseLocation,
  type DirectDatabase,
  fixedSql,
  migrate,
  openDirectDatabase,
  sql,
} from '../../../platform/storage/index.ts';
import { puppetDbMigrations } from '../schema.ts';
import { copiedTables } from './copied-tables.ts';
import { type CopyEnds, copyRows } from './copy-rows.ts';

export interface CopyOptions {
  readonly from: DatabaseLocation;
  readonly to: DatabaseLocation;
  /** Is told how many rows of a table have been copied. */
  readonly onProgress: (table: string, rows: number) => void;
  readonly signal: AbortSignal;
}

export interface CopiedCount {
  readonly table: string;
  readonly rows: number;
}

/**
 * May be run again after it was interrupted, and goes on. No process may write to either meanwhile.
 *
 * @returns how many rows each table has, in both
 * @throws Error when the other database holds something else, or has not as many rows in the end
 */
export async function copyPuppetDb({
  from,
  to,
  onProgress,
  signal,
}: CopyOptions): Promise<readonly CopiedCount[]> {
  await bringUpToDate(from);
  const source = await openDirectDatabase(from, 'reader');
  try {
    const target = await openDirectDatabase(to, 'writer');
    try {
      await migrate(target, puppetDbMigrations);
      await claimTarget(target);
      return await copyAll({ from: source, to: target }, onProgress, signal);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** A database of an earlier release gets the tables of this one, as it would at this release's start. */
async function bringUpToDate(location: DatabaseLocation): Promise<void> {
  // Reading does not create a missing database.
  const reader = await openDirectDatabase(location, 'reader');
  await reader.close();
  const writer = await openDirectDatabase(location, 'writer');
  try {
    await migrate(writer, puppetDbMigrations);
  } finally {
    await writer.close();
  }
}

/** While this table is there, a copy is under way. */
const marker = 'pdb_copy_under_way';

async function claimTarget(target: DirectDatabase): Promise<void> {
  if (await isThere(target, marker)) return;
  const [row] = await target.read(
    sql`select (select count(*) from pdb_nodes) + (select count(*) from pdb_dead_letters) as count`,
  );
  if (Number(row?.['count']) > 0) {
    throw new Error('the database to copy to holds data already: name an empty one');
  }
  await target.write([fixedSql(`create table ${marker} (started integer)`)]);
}

async function isThere(database: DirectDatabase, table: string): Promise<boolean> {
  const [row] = await database.read(
    database.dialect.name === 'sqlite'
      ? sql`select count(*) as count from sqlite_schema where name = ${table}`
      : sql`select count(*) as count from pg_tables where schemaname = current_schema() and tablename = ${table}`,
  );
  return Number(row?.['count']) > 0;
}

async function copyAll(
  ends: CopyEnds,
  onProgress: CopyOptions['onProgress'],
  signal: AbortSignal,
): Promise<readonly CopiedCount[]> {
  for (const table of copiedTables) {
    let rows = 0;
    await copyRows(
      ends,
      table,
      (count) => {
        rows += count;
        onProgress(table.name, rows);
      },
      signal,
    );
  }
  await finish(ends.to);
  return await verifiedCounts(ends);
}

/** Numbers go on behind those that were copied, and nodes find their latest reports under their numbers here. */
async function finish(target: DirectDatabase): Promise<void> {
  const counters =
    target.dialect.name === 'sqlite'
      ? []
      : [
          "select setval(pg_get_serial_sequence('pdb_nodes', 'id'), coalesce(max(id), 0) + 1) from pdb_nodes",
          "select setval('pdb_report_ids', coalesce(max(id % 68719476736), 0) + 1) from pdb_reports",
        ];
  await target.write([
    fixedSql(`update pdb_nodes set latest_report_id = (select max(r.id) from pdb_reports r
      where r.node_id = pdb_nodes.id and r.producer_timestamp = pdb_nodes.latest_report_timestamp and r.type = 'agent')`),
    ...counters.map(fixedSql),
  ]);
}

async function verifiedCounts({ from, to }: CopyEnds): Promise<readonly CopiedCount[]> {
  const counts: CopiedCount[] = [];
  for (const { name } of copiedTables) {
    const [theirs, ours] = await Promise.all(
      [from, to].map(async (database) => {
        const [row] = await database.read(fixedSql(`select count(*) as count from ${name}`));
        return Number(row?.['count']);
      }),
    );
    if (theirs === undefined || theirs !== ours) {
      throw new Error(`${name} has ${theirs} rows, but ${ours} in the copy: was somebody writing meanwhile?`);
    }
    counts.push({ table: name, rows: ours });
  }
  await to.write([fixedSql(`drop table ${marker}`)]);
  return counts;
}
