/** Forgets what is over: nodes that are silent, reports that are old, what nobody refers to. */

import { type Database, encodeTimestamp, type Statement, sql } from '../../../platform/storage/index.ts';

export interface Lifetimes {
  /** After which a node that sends nothing expires; `undefined` for never. */
  readonly nodeTtlMs?: number;
  /** After which a node that is deactivated or expired is deleted with all that it sent. */
  readonly nodePurgeTtlMs?: number;
  /** After which a report is deleted. */
  readonly reportTtlMs?: number;
}

/** How many rows one transaction deletes: others wait for it no longer than that takes. */
const batch = 500;

/** Runs in small transactions, so that commands are taken in between. @returns how many rows went */
export async function collectGarbage(database: Database, lifetimes: Lifetimes, now: Date): Promise<number> {
  const before = (ttlMs: number): string => encodeTimestamp(new Date(now.getTime() - ttlMs));
  let gone = 0;
  const { nodeTtlMs, nodePurgeTtlMs, reportTtlMs } = lifetimes;
  if (nodeTtlMs !== undefined) {
    await database.write([expireNodes(before(nodeTtlMs), encodeTimestamp(now))]);
  }
  if (nodePurgeTtlMs !== undefined) {
    gone += await repeat(database, () => purgeNodes(before(nodePurgeTtlMs)));
  }
  if (reportTtlMs !== undefined) gone += await repeat(database, () => deleteReports(before(reportTtlMs)));
  return gone + (await repeat(database, deleteOrphans));
}

/** @returns the changes of all rounds; ends with the first that changes nothing */
async function repeat(database: Database, statements: () => readonly Statement[]): Promise<number> {
  let total = 0;
  for (;;) {
    const results = await database.write(statements());
    const changes = results.reduce((sum, result) => sum + result.changes, 0);
    if (changes === 0) return total;
    total += changes;
  }
}

/** Nodes whose facts may not expire stay. */
function expireNodes(before: string, now: string): Statement {
  return sql`update pdb_nodes set expired = ${now}
    where deactivated is null and expired is null and expires_facts = ${true}
      and not exists (select 1 from pdb_factsets d where d.node_id = pdb_nodes.id and d.timestamp >= ${before})
      and not exists (select 1 from pdb_catalogs d where d.node_id = pdb_nodes.id and d.timestamp >= ${before})
      and (latest_report_timestamp is null or latest_report_timestamp < ${before})`;
}

function purgeNodes(before: string): readonly Statement[] {
  // The same nodes in each statement: the last deletes them.
  return [
    sql`delete from pdb_facts where node_id in (select id from pdb_nodes
      where deactivated < ${before} or expired < ${before} order by id limit ${batch})`,
    sql`delete from pdb_factsets where node_id in (select id from pdb_nodes
      where deactivated < ${before} or expired < ${before} order by id limit ${batch})`,
    sql`delete from pdb_packages where node_id in (select id from pdb_nodes
      where deactivated < ${before} or expired < ${before} order by id limit ${batch})`,
    sql`delete from pdb_resources where node_id in (select id from pdb_nodes
      where deactivated < ${before} or expired < ${before} order by id limit ${batch})`,
    sql`delete from pdb_catalogs where node_id in (select id from pdb_nodes
      where deactivated < ${before} or expired < ${before} order by id limit ${batch})`,
    sql`delete from pdb_catalog_inputs where node_id in (select id from pdb_nodes
      where deactivated < ${before} or expired < ${before} order by id limit ${batch})`,
    sql`delete from pdb_events where report_id in (select r.id from pdb_reports r where r.node_id in
      (select id from pdb_nodes where deactivated < ${before} or expired < ${before} order by id limit ${batch}))`,
    sql`delete from pdb_reports where node_id in (select id from pdb_nodes
      where deactivated < ${before} or expired < ${before} order by id limit ${batch})`,
    sql`delete from pdb_nodes where id in (select id from pdb_nodes
      where deactivated < ${before} or expired < ${before} order by id limit ${batch})`,
  ];
}

function deleteReports(before: string): readonly Statement[] {
  return [
    sql`update pdb_nodes set latest_report_id = null where latest_report_id in
      (select id from pdb_reports where producer_timestamp < ${before} order by id limit ${batch})`,
    sql`delete from pdb_events where report_id in
      (select id from pdb_reports where producer_timestamp < ${before} order by id limit ${batch})`,
    sql`delete from pdb_reports where id in
      (select id from pdb_reports where producer_timestamp < ${before} order by id limit ${batch})`,
  ];
}

/** Parameters, edges, environments and producers that nothing refers to. */
function deleteOrphans(): readonly Statement[] {
  return [
    sql`delete from pdb_parameters where resource in (select p.resource from pdb_parameters p
      where not exists (select 1 from pdb_resources r where r.resource = p.resource) limit ${batch})`,
    sql`delete from pdb_edge_sets where hash in (select e.hash from pdb_edge_sets e
      where not exists (select 1 from pdb_catalogs c where c.edge_set = e.hash) limit ${batch})`,
    sql`delete from pdb_environments where not exists (select 1 from pdb_factsets d where d.environment = name)
      and not exists (select 1 from pdb_catalogs d where d.environment = name)
      and not exists (select 1 from pdb_reports d where d.environment = pdb_environments.name)`,
    sql`delete from pdb_producers where not exists (select 1 from pdb_factsets d where d.producer = name)
      and not exists (select 1 from pdb_catalogs d where d.producer = name)
      and not exists (select 1 from pdb_reports d where d.producer = pdb_producers.name)`,
  ];
}
