/** Facts: only what changed is written; an unchanged set costs one row. */

import { jsonbText } from '../../../lib/jsonb-text.ts';
import { type Statement, sql, type Transaction } from '../../../platform/storage/index.ts';
import type { Stored } from '../commands/command-outcome.ts';
import { factsetHash } from '../commands/identity.ts';
import type { Facts } from '../commands/wire.ts';
import { shapeOf, storeShapes } from './fact-shapes.ts';
import { ensureOrigin, touchNode } from './nodes.ts';

/** Older facts than those that are there are none. */
export async function replaceFacts(
  transaction: Transaction,
  facts: Facts,
  received: string,
): Promise<Stored> {
  const { producer_timestamp: producedAt, environment, producer } = facts;
  const hash = factsetHash(facts);
  const id = await touchNode(transaction, facts.certname, producedAt);
  const [known] = await transaction.read(
    sql`select hash, producer_timestamp, environment, producer from pdb_factsets where node_id = ${id}`,
  );
  if (known !== undefined && String(known['producer_timestamp']) > producedAt) return 'obsolete';
  await ensureOrigin(transaction, facts, known);
  await transaction.run(
    sql`insert into pdb_factsets (node_id, environment, producer, producer_timestamp, timestamp, hash)
      values (${id}, ${environment}, ${producer}, ${producedAt}, ${received}, ${hash})
      on conflict (node_id) do update set environment = excluded.environment, producer = excluded.producer,
        producer_timestamp = excluded.producer_timestamp, timestamp = excluded.timestamp, hash = excluded.hash`,
  );
  if (known?.['hash'] !== hash) {
    await storeValues(transaction, id, facts, known !== undefined);
  }
  for (const statement of packageStatements(transaction, id, facts)) await transaction.run(statement);
  return known?.['hash'] === hash ? 'unchanged' : 'stored';
}

async function storeValues(
  transaction: Transaction,
  id: number,
  { values }: Facts,
  hasOthers: boolean,
): Promise<void> {
  const { dialect } = transaction;
  const shaped = Object.entries(values).map(([name, value]) => ({
    name,
    json: jsonbText(value),
    shape: shapeOf(name, value, dialect.name),
  }));
  await storeShapes(transaction, shaped);
  const json = JSON.stringify(shaped.map(({ json: value, name, shape }) => [name, value, shape?.id ?? null]));
  const rows = dialect.rows(json, ['text', 'json', 'text']);
  const insertion = sql`insert into pdb_facts (name, node_id, value, shape)
    select sent.v0, cast(${id} as bigint), sent.v1, sent.v2 from ${rows} sent`;
  if (!hasOthers) {
    await transaction.run(sql`${insertion} where true on conflict do nothing`);
    return;
  }
  const names = dialect.rows(JSON.stringify(Object.keys(values).map((name) => [name])), ['text']);
  await transaction.run(
    sql`delete from pdb_facts where node_id = ${id} and name not in (select sent.v0 from ${names} sent)`,
  );
  // The shape is compared, too: an earlier release stores values without it.
  await transaction.run(
    sql`${insertion} left join pdb_facts kept on kept.node_id = ${id} and kept.name = sent.v0
      where kept.value is null or kept.value <> sent.v1 or coalesce(kept.shape, '') <> coalesce(sent.v2, '')
      on conflict (name, node_id) do update set value = excluded.value, shape = excluded.shape`,
  );
}

/** Facts without a list of packages say nothing about them. */
function packageStatements(
  { dialect }: Transaction,
  id: number,
  { package_inventory: packages }: Facts,
): readonly Statement[] {
  if (packages === null) return [];
  const rows = dialect.rows(JSON.stringify(packages), ['text', 'text', 'text']);
  return [
    sql`delete from pdb_packages where node_id = ${id}
      and (package_name, version, provider) not in (select sent.v0, sent.v1, sent.v2 from ${rows} sent)`,
    sql`insert into pdb_packages (node_id, package_name, version, provider)
      select cast(${id} as bigint), sent.v0, sent.v1, sent.v2 from ${rows} sent where true on conflict do nothing`,
  ];
}
