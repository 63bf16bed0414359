/** Catalogs: the difference to the last one is written; an unchanged catalog costs one row. */

import { jsonbText } from '../../../lib/jsonb-text.ts';
import { quoted } from '../../../lib/ordered-json.ts';
import { type Statement, sql, type Transaction } from '../../../platform/storage/index.ts';
import { canonicalJson, compareText, identityHash } from '../canonical-json.ts';
import type { Stored } from '../commands/command-outcome.ts';
import { catalogHash, type IdentifiedResource, resourceHash } from '../commands/identity.ts';
import type { SentCatalog } from '../commands/sent-catalog.ts';
import type { Catalog, CatalogInputs } from '../commands/wire.ts';
import { ensureOrigin, touchNode } from './nodes.ts';
import { countResources } from './resource-counts.ts';
import { rowPieces } from './row-pieces.ts';
import { holdSharedRows } from './shared-rows.ts';

/** One resource as it is kept: type, title, hash, tags, exported, file, line. */
type ResourceRow = readonly [string, string, string, string, boolean, string | null, number | null];

interface KnownCatalog {
  readonly hash: string;
  readonly content: string;
  readonly edge_set: string;
  readonly producer_timestamp: string;
  readonly environment: string | null;
  readonly producer: string | null;
}

/** An older catalog than the one that is there is none. */
export async function replaceCatalog(
  transaction: Transaction,
  sent: SentCatalog,
  received: string,
): Promise<Stored> {
  const { certname, producer_timestamp: producedAt } = sent.envelope;
  const id = await touchNode(transaction, certname, producedAt);
  const known = await findCatalog(transaction, id);
  if (known !== undefined && known.producer_timestamp > producedAt) return 'obsolete';
  await ensureOrigin(transaction, sent.envelope, known && { ...known });
  if (known?.content === sent.content) {
    await transaction.run(upsertCatalog(id, sent, received, known));
    return 'unchanged';
  }
  if (!sent.isWhole) return 'wanted';
  const catalog = sent.decode();
  await holdSharedRows(transaction);
  const identified = catalog.resources.map((resource) => ({
    resource,
    parameters: canonicalJson(resource.parameters),
  }));
  const hash = catalogHash(catalog, identified);
  const edges = edgeSet(catalog);
  if (known?.edge_set !== edges.hash) await transaction.run(edges.statement);
  if (known?.hash !== hash) {
    await storeResources(transaction, id, identified);
  }
  await transaction.run(upsertCatalog(id, sent, received, { hash, edge_set: edges.hash }));
  await countResources(transaction, id, sent.content, catalog);
  return known?.hash === hash ? 'unchanged' : 'stored';
}

async function findCatalog(transaction: Transaction, id: number): Promise<KnownCatalog | undefined> {
  const [known] = await transaction.read(
    sql`select hash, content, edge_set, producer_timestamp, environment, producer from pdb_catalogs
      where node_id = ${id}`,
  );
  return known as KnownCatalog | undefined;
}

function upsertCatalog(
  id: number,
  { envelope, content }: SentCatalog,
  received: string,
  digests: Pick<KnownCatalog, 'hash' | 'edge_set'>,
): Statement {
  return sql`insert into pdb_catalogs (node_id, environment, producer, producer_timestamp, timestamp, hash, version,
      transaction_uuid, catalog_uuid, code_id, job_id, edge_set, content)
    values (${id}, ${envelope.environment}, ${envelope.producer}, ${envelope.producer_timestamp}, ${received}, ${digests.hash},
      ${envelope.version}, ${envelope.transaction_uuid}, ${envelope.catalog_uuid}, ${envelope.code_id},
      ${envelope.job_id}, ${digests.edge_set}, ${content})
    on conflict (node_id) do update set environment = excluded.environment, producer = excluded.producer,
      producer_timestamp = excluded.producer_timestamp, timestamp = excluded.timestamp,
      hash = excluded.hash, version = excluded.version, transaction_uuid = excluded.transaction_uuid,
      catalog_uuid = excluded.catalog_uuid, code_id = excluded.code_id, job_id = excluded.job_id,
      edge_set = excluded.edge_set, content = excluded.content`;
}

function edgeSet({ edges }: Catalog): { readonly hash: string; readonly statement: Statement } {
  const described = edges.map(
    ({ source, target, relationship }) =>
      `{"relationship":${quoted(relationship)},"source_title":${quoted(source.title)},` +
      `"source_type":${quoted(source.type)},"target_title":${quoted(target.title)},` +
      `"target_type":${quoted(target.type)}}`,
  );
  const rows = [...new Set(described)].toSorted(compareText);
  const text = `[${rows.join(',')}]`;
  const hash = identityHash(text);
  const statement = sql`insert into pdb_edge_sets (hash, edges) values (${hash}, ${text}) on conflict do nothing`;
  return { hash, statement };
}

async function storeResources(
  transaction: Transaction,
  id: number,
  resources: readonly IdentifiedResource[],
): Promise<void> {
  const before = await knownResources(transaction, id);
  const added: [string, string][] = [];
  const changed: ResourceRow[] = [];
  for (const { resource, parameters } of resources) {
    const hash = resourceHash(resource, parameters);
    const row: ResourceRow = [
      resource.type,
      resource.title,
      hash,
      JSON.stringify([...new Set(resource.tags)].toSorted(compareText)),
      resource.exported,
      resource.file,
      resource.line,
    ];
    const key = keyOf(resource.type, resource.title);
    const old = before.get(key);
    before.delete(key);
    if (old?.digest === rowDigest(row)) continue;
    changed.push(row);
    if (old?.hash !== hash) added.push([hash, jsonbText(resource.parameters)]);
  }
  const gone = [...before.values()].map(({ type, title }) => [type, title]);
  for (const { json } of rowPieces(gone)) await transaction.run(deleteResources(transaction, id, json));
  // In one order everywhere: two transactions that add the same wait for each other, but never in a circle.
  added.sort(([a], [b]) => compareText(a, b));
  for (const { json } of rowPieces(added)) await transaction.run(insertParameters(transaction, json));
  for (const { json } of rowPieces(changed)) await transaction.run(upsertResources(transaction, id, json));
}

interface KnownResource {
  readonly type: string;
  readonly title: string;
  readonly hash: string;
  readonly digest: string;
}

async function knownResources(transaction: Transaction, id: number): Promise<Map<string, KnownResource>> {
  const rows = await transaction.read(
    sql`select type, title, resource, tags, exported, file, line from pdb_resources where node_id = ${id}`,
  );
  return new Map(
    rows.map((row) => {
      const [type, title, hash] = [String(row['type']), String(row['title']), String(row['resource'])];
      const tags = JSON.stringify(JSON.parse(String(row['tags'])));
      const { exported, file, line } = row as unknown as {
        exported: unknown;
        file: string | null;
        line: number | null;
      };
      const isExported = exported === true || exported === 1;
      const digest = rowDigest([type, title, hash, tags, isExported, file, line]);
      return [keyOf(type, title), { type, title, hash, digest }];
    }),
  );
}

/** What decides whether a resource that has the same type and title is written again. */
function rowDigest([, , hash, tags, isExported, file, line]: ResourceRow): string {
  return `${hash}${tags}${isExported}${file}\0${line}`;
}

function keyOf(type: string, title: string): string {
  return `${type}\0${title}`;
}

function deleteResources({ dialect }: Transaction, id: number, rows: string): Statement {
  return sql`delete from pdb_resources where node_id = ${id}
    and (type, title) in (select gone.v0, gone.v1 from ${dialect.rows(rows, ['text', 'text'])} gone)`;
}

function insertParameters({ dialect }: Transaction, rows: string): Statement {
  return sql`insert into pdb_parameters (resource, parameters)
    select sent.v0, sent.v1 from ${dialect.rows(rows, ['text', 'json'])} sent where true order by sent.v0
    on conflict do nothing`;
}

function upsertResources({ dialect }: Transaction, id: number, rows: string): Statement {
  const columns = ['text', 'text', 'text', 'json', 'boolean', 'text', 'integer'] as const;
  return sql`insert into pdb_resources (node_id, type, title, resource, tags, exported, file, line)
    select cast(${id} as bigint), sent.v0, sent.v1, sent.v2, sent.v3, sent.v4, sent.v5, sent.v6
    from ${dialect.rows(rows, columns)} sent where true
    on conflict (node_id, type, title) do update set resource = excluded.resource, tags = excluded.tags,
      exported = excluded.exported, file = excluded.file, line = excluded.line`;
}

/** What a catalog was made of. */
export async function replaceCatalogInputs(transaction: Transaction, inputs: CatalogInputs): Promise<void> {
  const { certname, producer_timestamp: producedAt, catalog_uuid: uuid } = inputs;
  const id = await touchNode(transaction, certname, producedAt);
  // To the reference a catalog that was made of nothing is one of which nothing is known.
  if (inputs.inputs.length === 0) return;
  await transaction.run(
    sql`insert into pdb_catalog_inputs (node_id, catalog_uuid, producer_timestamp, inputs)
      values (${id}, ${uuid}, ${producedAt}, ${sortedInputs(inputs)})
      on conflict (node_id) do update set catalog_uuid = excluded.catalog_uuid,
        producer_timestamp = excluded.producer_timestamp, inputs = excluded.inputs
        where pdb_catalog_inputs.producer_timestamp <= excluded.producer_timestamp`,
  );
}

/** By type, then by name, as they are answered; each once. */
function sortedInputs({ inputs }: CatalogInputs): string {
  const sorted = inputs.toSorted((a, b) => compareText(a[0], b[0]) || compareText(a[1], b[1]));
  const distinct = sorted.filter(([type, name], index) => {
    const before = sorted[index - 1];
    return before?.[0] !== type || before[1] !== name;
  });
  return JSON.stringify(distinct);
}
