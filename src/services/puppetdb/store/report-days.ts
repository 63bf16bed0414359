/** Where reports of a day are, on PostgreSQL: see `report-partitions.ts`. SQLite has one table. */

import {
  type DirectDatabase,
  fixedSql,
  StatementRefused,
  sql,
  type Transaction,
} from '../../../platform/storage/index.ts';
import { numbersOfDay, partitionedTables, partitionName } from '../report-partitions.ts';

const dayMs = 86_400_000;
/** More than a year; the rest shares a table: clocks that are wrong make no thousands. */
const mostDays = 400;
/** Any number that no other part of the program takes. */
const lockNumber = 712_502;

/** @returns `null` where the database counts by itself */
export async function newReportId(transaction: Transaction, producedAt: string): Promise<number | null> {
  if (transaction.dialect.name === 'sqlite') return null;
  const day = dayOf(producedAt);
  const name = partitionName('pdb_events', day);
  const [row] = await transaction.read(
    sql`select nextval('pdb_report_ids') as number, to_regclass(${name}) is not null as is_there`,
  );
  const number = Number(row?.['number']);
  const hasDay = row?.['is_there'] === true || (await makeDay(transaction, day));
  return (hasDay ? day * numbersOfDay : 0) + number;
}

/** Where the numbers of a day begin. */
export async function ensureReportDay(transaction: Transaction, producedAt: string): Promise<number> {
  const day = dayOf(producedAt);
  return (await makeDay(transaction, day)) ? day * numbersOfDay : 0;
}

/** Days that are none, as of a clock that was never set, are not kept apart. */
function dayOf(producedAt: string): number {
  return Math.max(0, Math.floor(Date.parse(producedAt) / dayMs));
}

/** Readers and writers do not wait for this. @returns false when there are too many */
async function makeDay(transaction: Transaction, day: number): Promise<boolean> {
  if (day === 0) return false;
  const lock = transaction.dialect.lock(lockNumber, 'exclusive');
  if (lock !== undefined) await transaction.read(lock);
  // Another may have made it while this one waited.
  const [row] = await transaction.read(
    sql`select to_regclass(${partitionName('pdb_events', day)}) is not null as is_there,
      (select count(*) from pg_inherits where inhparent = 'pdb_reports'::regclass) as days`,
  );
  if (row?.['is_there'] === true) return true;
  if (Number(row?.['days']) >= mostDays) return false;
  for (const [table] of partitionedTables) {
    const name = partitionName(table, day);
    await transaction.run(fixedSql(`create table ${name} (like ${table} including defaults)`));
    if (table === 'pdb_reports') {
      await transaction.run(fixedSql(`create unique index ${name}_hash on ${name} (hash)`));
    }
    await transaction.run(
      fixedSql(
        `alter table ${table} attach partition ${name} for values from (${day * numbersOfDay}) to (${(day + 1) * numbersOfDay})`,
      ),
    );
  }
  return true;
}

/** How long others may wait behind a table that is on its way out. */
const lockMs = 200;
const attempts = 10;
const pauseMs = 500;

/** Drops the days of which all reports are older; the database learns what is left. */
export async function dropReportDays(database: DirectDatabase, before: string): Promise<void> {
  if (database.dialect.name === 'sqlite') return;
  const rows = await database.read(
    sql`select substr(relname, ${'pdb_reports_d'.length + 1}) as day from pg_inherits join pg_class on oid = inhrelid
      where inhparent = 'pdb_reports'::regclass and relname ~ ${'^pdb_reports_d[0-9]+$'}`,
  );
  const over = rows.map(({ day }) => Number(day)).filter((day) => day < dayOf(before));
  for (const day of over) await dropPatiently(database, day);
  for (const [table] of partitionedTables) await database.read(fixedSql(`analyze ${table}`));
}

/** Somebody may be reading for long: then it is tried again, and at last the next time. */
async function dropPatiently(database: DirectDatabase, day: number): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      await dropDay(database, day);
      return;
    } catch (error) {
      if (!(error instanceof StatementRefused) || error.sqlState !== '55P03') throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

async function dropDay(database: DirectDatabase, day: number): Promise<void> {
  const [from, to] = [day * numbersOfDay, (day + 1) * numbersOfDay];
  const tables = partitionedTables.map(([table]) => partitionName(table, day));
  await database.write([
    sql`update pdb_nodes set latest_report_id = null where latest_report_id >= ${from} and latest_report_id < ${to}`,
    fixedSql(`set local lock_timeout = ${lockMs}`),
    // In the order in which reports are written.
    ...tables.map((table) => fixedSql(`drop table if exists ${table}`)),
  ]);
}
