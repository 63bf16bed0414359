/** Forgets what is over: silent nodes, old reports, unreferenced rows. */

import {
  type DirectDatabase,
  encodeTimestamp,
  type Row,
  type Statement,
  sql,
  type Transaction,
} from '../../../platform/storage/index.ts';
import { numbersOfDay } from '../report-partitions.ts';
import { deleteOrphans } from './orphans.ts';
import { dropReportDays } from './report-days.ts';

export interface Lifetimes {
  /** After which a node that sends nothing expires; `undefined` for never. */
  readonly nodeTtlMs?: number;
  /** After which a node that is deactivated or expired is deleted with all that it sent. */
  readonly nodePurgeTtlMs?: number;
  /** After which a report is deleted. */
  readonly reportTtlMs?: number;
}

/** Parts that can be requested alone; `other` is unreferenced rows. */
export const cleanTasks = ['expire_nodes', 'purge_nodes', 'purge_reports', 'other'] as const;

type CleanTask = (typeof cleanTasks)[number];

export interface CleanRequest {
  readonly tasks: readonly CleanTask[];
  /** How many nodes are purged at most. */
  readonly purgeLimit?: number;
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
  { tasks, purgeLimit }: CleanRequest,
): Promise<number> {
  const before = (ttlMs: number): string => encodeTimestamp(new Date(now.getTime() - ttlMs));
  const { nodeTtlMs, nodePurgeTtlMs, reportTtlMs } = lifetimes;
  let gone = 0;
  if (nodeTtlMs !== undefined && tasks.includes('expire_nodes')) {
    await expireNodes(database, before(nodeTtlMs), encodeTimestamp(now));
  }
  if (nodePurgeTtlMs !== undefined && tasks.includes('purge_nodes')) {
    const time = before(nodePurgeTtlMs);
    const over = sql`(deactivated < ${time} or expired < ${time})`;
    gone += await deleteNodes(database, over, purgeLimit);
  }
  if (reportTtlMs !== undefined && tasks.includes('purge_reports')) {
    const time = before(reportTtlMs);
    await dropReportDays(database, time);
    gone += await inSlices(database, (transaction, limit) => deleteOldReports(transaction, time, limit));
  }
  return tasks.includes('other') ? gone + (await deleteOrphans(database)) : gone;
}

/** Forgets a node with all that it has sent. */
export async function deleteNode(database: DirectDatabase, certname: string): Promise<number> {
  return await deleteNodes(database, sql`certname = ${certname}`);
}

/** One slice. @returns how many things it deleted; less than the limit when no more are left */
type Slice = (transaction: Transaction, limit: number) => Promise<number>;

/** Makes slices larger while they are quick and smaller when they are not. */
async function inSlices(
  database: DirectDatabase,
  slice: Slice,
  most = Number.POSITIVE_INFINITY,
): Promise<number> {
  let total = 0;
  for (let limit = 4; total < most; ) {
    const start = performance.now();
    const size = Math.min(limit, most - total);
    const gone = await database.transaction((transaction) => slice(transaction, size));
    total += gone;
    if (gone < size) return total;
    const tookMs = performance.now() - start;
    limit = Math.max(1, Math.min(largestSlice, Math.round((size * sliceMs) / Math.max(tookMs, 1))));
    await new Promise((resolve) => setTimeout(resolve, tookMs));
  }
  return total;
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

/** Their reports go first, some at a time: a node has hundreds. A node that is back meanwhile is none of those that are chosen. */
async function deleteNodes(database: DirectDatabase, condition: Statement, most?: number): Promise<number> {
  const nodes = sql`select id from pdb_nodes where ${condition} order by id`;
  const chosen = most === undefined ? nodes : sql`${nodes} limit ${most}`;
  await inSlices(database, async (transaction, limit) => {
    const reports = await transaction.read(
      sql`select id from pdb_reports where node_id in (select id from (${chosen}) chosen) limit ${limit}`,
    );
    await deleteReports(transaction, reports.map(idOf));
    return reports.length;
  });
  return await inSlices(database, (transaction, limit) => deleteNodesAlone(transaction, nodes, limit), most);
}

async function deleteNodesAlone(transaction: Transaction, nodes: Statement, limit: number): Promise<number> {
  const { dialect } = transaction;
  const found = await transaction.read(sql`${nodes} limit ${limit}${dialect.lockingRows}`);
  if (found.length === 0) return 0;
  const ids = JSON.stringify(found.map(({ id }) => [id]));
  const chosen = sql`(select gone.v0 from ${dialect.rows(ids, ['integer'])} gone)`;
  // What came since the others went.
  const reports = await transaction.read(sql`select id from pdb_reports where node_id in ${chosen}`);
  await deleteReports(transaction, reports.map(idOf));
  await transaction.run(sql`delete from pdb_facts where node_id in ${chosen}`);
  await transaction.run(sql`delete from pdb_factsets where node_id in ${chosen}`);
  await transaction.run(sql`delete from pdb_packages where node_id in ${chosen}`);
  await transaction.run(sql`delete from pdb_resources where node_id in ${chosen}`);
  await transaction.run(sql`delete from pdb_catalogs where node_id in ${chosen}`);
  await transaction.run(sql`delete from pdb_catalog_inputs where node_id in ${chosen}`);
  await transaction.run(sql`delete from pdb_nodes where id in ${chosen}`);
  return found.length;
}

function idOf({ id }: Row): number {
  return Number(id);
}

async function deleteOldReports(transaction: Transaction, before: string, limit: number): Promise<number> {
  const reports = await transaction.read(
    sql`select id from pdb_reports where producer_timestamp < ${before}${notOfDay(transaction)}
      order by producer_timestamp limit ${limit}`,
  );
  await deleteReports(transaction, reports.map(idOf));
  return reports.length;
}

/** Days that are kept apart go as a whole. */
function notOfDay({ dialect }: Transaction): Statement {
  return dialect.name === 'sqlite' ? sql`` : sql` and id < ${numbersOfDay}`;
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
