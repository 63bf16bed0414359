/** Facts: only what changed is written; an unchanged set costs one row. */

import { type Database, type Statement, sql } from '../../../platform/storage/index.ts';
import { canonicalJson } from '../canonical-json.ts';
import { factsetHash } from '../commands/identity.ts';
import type { Facts } from '../commands/wire.ts';
import { activateNode, ensureEnvironment, ensureNode, ensureProducer } from './nodes.ts';

/** @returns false when newer facts are there already */
export async function replaceFacts(database: Database, facts: Facts, received: string): Promise<boolean> {
  const { certname, producer_timestamp: producedAt } = facts;
  const hash = factsetHash(facts);
  const [known] = await database.read(
    sql`select fs.hash, fs.producer_timestamp from pdb_factsets fs join pdb_nodes n on n.id = fs.node_id
      where n.certname = ${certname}`,
  );
  if (known !== undefined && String(known['producer_timestamp']) > producedAt) return false;
  const isUnchanged = known?.['hash'] === hash;
  await database.write([
    ensureNode(certname),
    activateNode(certname, producedAt),
    ...ensureEnvironment(facts.environment),
    ...ensureProducer(facts.producer),
    sql`insert into pdb_factsets (node_id, environment, producer, producer_timestamp, timestamp, hash)
      select id, ${facts.environment}, ${facts.producer}, ${producedAt}, ${received}, ${hash}
      from pdb_nodes where certname = ${certname}
      on conflict (node_id) do update set environment = excluded.environment, producer = excluded.producer,
        producer_timestamp = excluded.producer_timestamp, timestamp = excluded.timestamp, hash = excluded.hash`,
    ...(isUnchanged ? [] : factRows(facts)),
    ...packageRows(facts),
  ]);
  return true;
}

function factRows({ certname, values }: Facts): readonly Statement[] {
  const rows = JSON.stringify(Object.entries(values).map(([name, value]) => [name, canonicalJson(value)]));
  return [
    sql`delete from pdb_facts where node_id = (select id from pdb_nodes where certname = ${certname})
      and name not in (select row.value ->> 0 from json_each(${rows}) row)`,
    sql`insert into pdb_facts (name, node_id, value)
      select row.value ->> 0, n.id, row.value ->> 1 from json_each(${rows}) row, pdb_nodes n
      where n.certname = ${certname}
      on conflict (name, node_id) do update set value = excluded.value where value <> excluded.value`,
  ];
}

/** Facts without a list of packages say nothing about them. */
function packageRows({ certname, package_inventory: packages }: Facts): readonly Statement[] {
  if (packages === null) return [];
  const rows = JSON.stringify(packages);
  return [
    sql`delete from pdb_packages where node_id = (select id from pdb_nodes where certname = ${certname})
      and (package_name, version, provider) not in
        (select row.value ->> 0, row.value ->> 1, row.value ->> 2 from json_each(${rows}) row)`,
    sql`insert into pdb_packages (node_id, package_name, version, provider)
      select n.id, row.value ->> 0, row.value ->> 1, row.value ->> 2 from json_each(${rows}) row, pdb_nodes n
      where n.certname = ${certname} on conflict do nothing`,
  ];
}
