/** Catalogs: the difference to the last one is written; an unchanged catalog costs one row. */

import { type Database, type Statement, sql } from '../../../platform/storage/index.ts';
import { canonicalJson, compareText, identityHash } from '../canonical-json.ts';
import { catalogHash, resourceHash } from '../commands/identity.ts';
import type { Catalog, CatalogInputs } from '../commands/wire.ts';
import { activateNode, ensureEnvironment, ensureNode, ensureProducer } from './nodes.ts';

/** One resource as it is kept: type, title, hash, tags, exported (1 or 0), file, line. */
type ResourceRow = readonly [string, string, string, string, number, string | null, number | null];

/** @returns false when a newer catalog is there already */
export async function replaceCatalog(
  database: Database,
  catalog: Catalog,
  received: string,
): Promise<boolean> {
  const { certname, producer_timestamp: producedAt } = catalog;
  const hash = catalogHash(catalog);
  const [known] = await database.read(
    sql`select c.node_id, c.hash, c.producer_timestamp, c.edge_set from pdb_catalogs c
      join pdb_nodes n on n.id = c.node_id where n.certname = ${certname}`,
  );
  if (known !== undefined && String(known['producer_timestamp']) > producedAt) return false;
  const isUnchanged = known?.['hash'] === hash;
  const edges = isUnchanged ? undefined : edgeSet(catalog);
  const edgeHash = edges?.hash ?? String(known?.['edge_set']);
  await database.write([
    ensureNode(certname),
    activateNode(certname, producedAt),
    ...ensureEnvironment(catalog.environment),
    ...ensureProducer(catalog.producer),
    ...(edges === undefined ? [] : [edges.statement]),
    sql`insert into pdb_catalogs (node_id, environment, producer, producer_timestamp, timestamp, hash, version,
        transaction_uuid, catalog_uuid, code_id, job_id, edge_set)
      select id, ${catalog.environment}, ${catalog.producer}, ${producedAt}, ${received}, ${hash},
        ${catalog.version}, ${catalog.transaction_uuid}, ${catalog.catalog_uuid}, ${catalog.code_id},
        ${catalog.job_id}, ${edgeHash}
      from pdb_nodes where certname = ${certname}
      on conflict (node_id) do update set environment = excluded.environment, producer = excluded.producer,
        producer_timestamp = excluded.producer_timestamp, timestamp = excluded.timestamp,
        hash = excluded.hash, version = excluded.version, transaction_uuid = excluded.transaction_uuid,
        catalog_uuid = excluded.catalog_uuid, code_id = excluded.code_id, job_id = excluded.job_id,
        edge_set = excluded.edge_set`,
    ...(isUnchanged ? [] : await resourceStatements(database, catalog)),
  ]);
  return true;
}

function edgeSet({ edges }: Catalog): { readonly hash: string; readonly statement: Statement } {
  const rows = edges
    .map(({ source, target, relationship }) =>
      canonicalJson({
        relationship,
        source_title: source.title,
        source_type: source.type,
        target_title: target.title,
        target_type: target.type,
      }),
    )
    .toSorted(compareText);
  const text = `[${rows.join(',')}]`;
  const hash = identityHash(text);
  const statement = sql`insert into pdb_edge_sets (hash, edges) values (${hash}, ${text}) on conflict do nothing`;
  return { hash, statement };
}

async function resourceStatements(database: Database, catalog: Catalog): Promise<readonly Statement[]> {
  const { certname } = catalog;
  const before = await knownResources(database, certname);
  const parameters: [string, string][] = [];
  const changed: ResourceRow[] = [];
  for (const resource of catalog.resources) {
    const hash = resourceHash(resource);
    const row: ResourceRow = [
      resource.type,
      resource.title,
      hash,
      canonicalJson([...new Set(resource.tags)].toSorted(compareText)),
      resource.exported ? 1 : 0,
      resource.file,
      resource.line,
    ];
    const key = keyOf(resource.type, resource.title);
    const old = before.get(key);
    before.delete(key);
    if (old !== undefined && old.every((value, index) => value === row[index])) continue;
    changed.push(row);
    if (old?.[2] !== hash) parameters.push([hash, canonicalJson(resource.parameters)]);
  }
  const gone = [...before.values()].map(([type, title]) => [type, title]);
  return [
    ...(gone.length === 0 ? [] : [deleteResources(certname, JSON.stringify(gone))]),
    ...(parameters.length === 0 ? [] : [insertParameters(JSON.stringify(parameters))]),
    ...(changed.length === 0 ? [] : [upsertResources(certname, JSON.stringify(changed))]),
  ];
}

async function knownResources(database: Database, certname: string): Promise<Map<string, ResourceRow>> {
  const rows = await database.read(
    sql`select type, title, resource, tags, exported, file, line from pdb_resources
      where node_id = (select id from pdb_nodes where certname = ${certname})`,
  );
  return new Map(
    rows.map((row) => {
      const [type, title] = [String(row['type']), String(row['title'])];
      const { resource, tags, exported, file, line } = row;
      const values = [type, title, resource, tags, exported, file, line] as unknown as ResourceRow;
      return [keyOf(type, title), values];
    }),
  );
}

function keyOf(type: string, title: string): string {
  return `${type}\0${title}`;
}

function deleteResources(certname: string, rows: string): Statement {
  return sql`delete from pdb_resources where node_id = (select id from pdb_nodes where certname = ${certname})
    and (type, title) in (select row.value ->> 0, row.value ->> 1 from json_each(${rows}) row)`;
}

function insertParameters(rows: string): Statement {
  return sql`insert into pdb_parameters (resource, parameters)
    select row.value ->> 0, row.value ->> 1 from json_each(${rows}) row where true on conflict do nothing`;
}

function upsertResources(certname: string, rows: string): Statement {
  return sql`insert into pdb_resources (node_id, type, title, resource, tags, exported, file, line)
    select n.id, row.value ->> 0, row.value ->> 1, row.value ->> 2, row.value ->> 3, row.value ->> 4,
      row.value ->> 5, row.value ->> 6
    from json_each(${rows}) row, pdb_nodes n where n.certname = ${certname}
    on conflict (node_id, type, title) do update set resource = excluded.resource, tags = excluded.tags,
      exported = excluded.exported, file = excluded.file, line = excluded.line`;
}

/** What a catalog was made of. */
export async function replaceCatalogInputs(database: Database, inputs: CatalogInputs): Promise<void> {
  const { certname, producer_timestamp: producedAt, catalog_uuid: uuid } = inputs;
  await database.write([
    ensureNode(certname),
    activateNode(certname, producedAt),
    sql`insert into pdb_catalog_inputs (node_id, catalog_uuid, producer_timestamp, inputs)
      select id, ${uuid}, ${producedAt}, ${JSON.stringify(inputs.inputs)} from pdb_nodes
      where certname = ${certname}
      on conflict (node_id) do update set catalog_uuid = excluded.catalog_uuid,
        producer_timestamp = excluded.producer_timestamp, inputs = excluded.inputs
        where producer_timestamp <= excluded.producer_timestamp`,
  ]);
}
