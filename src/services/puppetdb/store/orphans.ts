/** Rows without references: parameters, edges, sets of events, counts of resources, shapes of facts, environments, producers. */

import { type DirectDatabase, type Row, type Statement, sql } from '../../../platform/storage/index.ts';
import { claimSharedRows } from './shared-rows.ts';

/** How many keys one transaction looks at. */
const step = 500;

/** @returns how many rows went */
export async function deleteOrphans(database: DirectDatabase): Promise<number> {
  const parameters = await walk(database, parametersAfter, deleteParameters);
  const edges = await walk(database, edgeSetsAfter, deleteEdgeSets);
  const eventSets = await walk(database, eventSetsAfter, deleteEventSets);
  const counts = await walk(database, resourceCountsAfter, deleteResourceCounts);
  const shapes = await walk(database, factShapesAfter, deleteFactShapes);
  const environments = await deleteUnreferred(database, deleteEnvironments());
  return (
    parameters +
    edges +
    eventSets +
    counts +
    shapes +
    environments +
    (await deleteUnreferred(database, deleteProducers()))
  );
}

/** Walks over the keys of a table in steps and deletes what is orphaned between one key and the next. */
async function walk(
  database: DirectDatabase,
  boundary: (after: string) => Statement,
  deletion: (after: string, last: string) => Statement,
): Promise<number> {
  let gone = 0;
  for (let after = ''; ; ) {
    const [found]: readonly Row[] = await database.read(boundary(after));
    if (found?.['last'] === null || found?.['last'] === undefined) return gone;
    const last = String(found['last']);
    gone += await deleteUnreferred(database, deletion(after, last));
    after = last;
    // Commands that have come meanwhile are next.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function deleteUnreferred(database: DirectDatabase, deletion: Statement): Promise<number> {
  return await database.transaction(async (transaction) => {
    await claimSharedRows(transaction);
    return (await transaction.run(deletion)).changes;
  });
}

function parametersAfter(after: string): Statement {
  return sql`select max(resource) as last from
    (select resource from pdb_parameters where resource > ${after} order by resource limit ${step}) step`;
}

function deleteParameters(after: string, last: string): Statement {
  return sql`delete from pdb_parameters where resource > ${after} and resource <= ${last}
    and not exists (select 1 from pdb_resources r where r.resource = pdb_parameters.resource)`;
}

function edgeSetsAfter(after: string): Statement {
  return sql`select max(hash) as last from
    (select hash from pdb_edge_sets where hash > ${after} order by hash limit ${step}) step`;
}

function deleteEdgeSets(after: string, last: string): Statement {
  return sql`delete from pdb_edge_sets where hash > ${after} and hash <= ${last}
    and not exists (select 1 from pdb_catalogs c where c.edge_set = pdb_edge_sets.hash)`;
}

/** A set has hundreds of rows. */
const eventSetStep = 20;

function eventSetsAfter(after: string): Statement {
  return sql`select max(event_set) as last from (select event_set from pdb_event_sets
    where event_set > ${after} and position = 0 order by event_set limit ${eventSetStep}) step`;
}

function deleteEventSets(after: string, last: string): Statement {
  return sql`delete from pdb_event_sets where event_set > ${after} and event_set <= ${last}
    and not exists (select 1 from pdb_reports r where r.event_set = pdb_event_sets.event_set)
    and not exists (select 1 from pdb_reports r where r.own_event_set = pdb_event_sets.event_set)`;
}

function resourceCountsAfter(after: string): Statement {
  return sql`select max(counts) as last from (select distinct counts from pdb_resource_counts
    where counts > ${after} order by counts limit ${eventSetStep}) step`;
}

function deleteResourceCounts(after: string, last: string): Statement {
  return sql`delete from pdb_resource_counts where counts > ${after} and counts <= ${last}
    and not exists (select 1 from pdb_catalogs c where c.resource_counts = pdb_resource_counts.counts)`;
}

/** One name at a time: all facts of the name are looked through. */
function factShapesAfter(after: string): Statement {
  return sql`select min(name) as last from pdb_fact_shapes where name > ${after}`;
}

function deleteFactShapes(_after: string, name: string): Statement {
  return sql`delete from pdb_fact_shapes where name = ${name}
    and shape not in (select held.shape from pdb_facts held where held.name = ${name} and held.shape is not null)`;
}

function deleteEnvironments(): Statement {
  return sql`delete from pdb_environments where not exists (select 1 from pdb_factsets d where d.environment = name)
    and not exists (select 1 from pdb_catalogs d where d.environment = name)
    and not exists (select 1 from pdb_reports d where d.environment = pdb_environments.name)`;
}

function deleteProducers(): Statement {
  return sql`delete from pdb_producers where not exists (select 1 from pdb_factsets d where d.producer = name)
    and not exists (select 1 from pdb_catalogs d where d.producer = name)
    and not exists (select 1 from pdb_reports d where d.producer = pdb_producers.name)`;
}
