/** Forgets what is over: nodes that are silent, reports that are old, what nobody refers to. */

import {
  type DirectDatabase,
  encodeTimestamp,
  sql,
  type Transaction,
} from '../../../platform/storage/index.ts';
import { deleteOrphans } from './orphans.ts';

export interface Lifetimes {
  /** After which a node that sends nothing expires; `undefined` for never. */
  readonly nodeTtlMs?: number;
  /** After which a node that is deactivated or expired is deleted with all that it sent. */
  readonly nodePurgeTtlMs?: number;
  /** After which a report is deleted. */
  readonly reportTtlMs?: number;
}

/** How long one transaction is meant to take: commands wait for it no longer. */
const sliceMs = 20;
/** How many nodes or reports one transaction deletes at most. */
const largestSlice = 500;

/** Runs in small transactions, with as much time for others in between. @returns how many rows went */
export async function collectGarbage(
  database: DirectDatabase,
  lifetimes: Lifetimes,
  now: Date,
): Promise<number> {
  const before = (ttlMs: number): string => encodeTimestamp(new Date(now.getTime() - ttlMs));
  const { nodeTtlMs, nodePurgeTtlMs, reportTtlMs } = lifetimes;
  let gone = 0;
  if (nodeTtlMs !== undefined) await expireNodes(database, before(nodeTtlMs), encodeTimestamp(now));
  if (nodePurgeTtlMs !== undefined) {
    const time = before(nodePurgeTtlMs);
    gone += await inSlices(database, (transaction, limit) => purgeNodes(transaction, time, limit));
  }
  if (reportTtlMs !== undefined) {
    const time = before(reportTtlMs);
    gone += await inSlices(database, (transaction, limit) => deleteOldReports(transaction, time, limit));
  }
  return gone + (await deleteOrphans(database));
}

/** One slice. @returns how many things it deleted; less than the limit when no more are left */
type Slice = (transaction: Transaction, limit: number) => Promise<number>;

/** Makes slices larger while they are quick and smaller when they are not. */
async function inSlices(database: DirectDatabase, slice: Slice): Promise<number> {
  let total = 0;
  for (let limit = 8; ; ) {
    const start = performance.now();
    const size = limit;
    const gone = await database.transaction((transaction) => slice(transaction, size));
    total += gone;
    if (gone < size) return total;
    const tookMs = performance.now() - start;
    limit = Math.max(1, Math.min(largestSlice, Math.round((size * sliceMs) / Math.max(tookMs, 1))));
    await new Promise((resolve) => setTimeout(resolve, tookMs));
  }
}

/** Nodes whose facts may not expire stay. */
async function expireNodes(database: DirectDatabase, before: string, now: string): Promise<void> {
  await database.write([
    sql`update pdb_nodes set expired = ${now}
      where deactivated is null and expired is null and expires_facts = ${true}
        and not exists (select 1 from pdb_factsets d where d.node_id = pdb_nodes.id and d.timestamp >= ${before})
        and not exists (select 1 from pdb_catalogs d where d.node_id = pdb_nodes.id and d.timestamp >= ${before})
        and (latest_report_timestamp is null or latest_report_timestamp < ${before})`,
  ]);
}

/** A node that is back meanwhile is none of those that are chosen. */
async function purgeNodes(transaction: Transaction, before: string, limit: number): Promise<number> {
  const nodes = await transaction.read(
    sql`select id from pdb_nodes where deactivated < ${before} or expired < ${before} order by id
      limit ${limit}${transaction.dialect.lockingRows}`,
  );
  const ids = JSON.stringify(nodes.map(({ id }) => [id]));
  const chosen = sql`(select gone.v0 from ${transaction.dialect.rows(ids, ['integer'])} gone)`;
  if (nodes.length === 0) return 0;
  const reports = await transaction.read(sql`select id from pdb_reports where node_id in ${chosen}`);
  await deleteReports(
    transaction,
    reports.map(({ id }) => Number(id)),
  );
  await transaction.run(sql`delete from pdb_facts where node_id in ${chosen}`);
  await transaction.run(sql`delete from pdb_factsets where node_id in ${chosen}`);
  await transaction.run(sql`delete from pdb_packages where node_id in ${chosen}`);
  await transaction.run(sql`delete from pdb_resources where node_id in ${chosen}`);
  await transaction.run(sql`delete from pdb_catalogs where node_id in ${chosen}`);
  await transaction.run(sql`delete from pdb_catalog_inputs where node_id in ${chosen}`);
  await transaction.run(sql`delete from pdb_nodes where id in ${chosen}`);
  return nodes.length;
}

async function deleteOldReports(transaction: Transaction, before: string, limit: number): Promise<number> {
  const reports = await transaction.read(
    sql`select id from pdb_reports where producer_timestamp < ${before} order by producer_timestamp limit ${limit}`,
  );
  await deleteReports(
    transaction,
    reports.map(({ id }) => Number(id)),
  );
  return reports.length;
}

async function deleteReports(transaction: Transaction, reports: readonly number[]): Promise<void> {
  if (reports.length === 0) return;
  const ids = JSON.stringify(reports.map((id) => [id]));
  const chosen = sql`(select gone.v0 from ${transaction.dialect.rows(ids, ['integer'])} gone)`;
  await transaction.run(
    sql`update pdb_nodes set latest_report_id = null where latest_report_id in ${chosen}`,
  );
  await transaction.run(sql`delete from pdb_events where report_id in ${chosen}`);
  await transaction.run(sql`delete from pdb_report_documents where report_id in ${chosen}`);
  await transaction.run(sql`delete from pdb_reports where id in ${chosen}`);
}
