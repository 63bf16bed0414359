/** Statements on nodes that all commands share. */

import { type Statement, sql } from '../../../platform/storage/index.ts';

/** Makes the node known. */
export function ensureNode(certname: string): Statement {
  return sql`insert into pdb_nodes (certname, expires_facts) values (${certname}, ${true})
    on conflict (certname) do nothing`;
}

/** New data of a node brings it back, unless it was sent away after the data was made. */
export function activateNode(certname: string, producerTimestamp: string): Statement {
  return sql`update pdb_nodes set deactivated = null, expired = null where certname = ${certname}
    and (deactivated is not null or expired is not null)
    and (deactivated is null or deactivated < ${producerTimestamp})`;
}

export function ensureEnvironment(name: string | null): readonly Statement[] {
  if (name === null) return [];
  return [sql`insert into pdb_environments (name) values (${name}) on conflict (name) do nothing`];
}

export function ensureProducer(name: string | null): readonly Statement[] {
  if (name === null) return [];
  return [sql`insert into pdb_producers (name) values (${name}) on conflict (name) do nothing`];
}

/** A node that has sent something since is not deactivated. */
export function deactivateNode(certname: string, time: string): readonly Statement[] {
  return [
    ensureNode(certname),
    sql`update pdb_nodes set deactivated = ${time} where certname = ${certname} and deactivated is null
      and not exists (select 1 from pdb_factsets d where d.node_id = pdb_nodes.id and d.producer_timestamp > ${time})
      and not exists (select 1 from pdb_catalogs d where d.node_id = pdb_nodes.id and d.producer_timestamp > ${time})
      and not exists (select 1 from pdb_reports d where d.node_id = pdb_nodes.id and d.producer_timestamp > ${time})`,
  ];
}

export function configureExpiration(
  certname: string,
  expiresFacts: boolean,
  time: string,
): readonly Statement[] {
  return [
    ensureNode(certname),
    sql`update pdb_nodes set expires_facts = ${expiresFacts}, expires_facts_updated = ${time}
      where certname = ${certname} and (expires_facts_updated is null or expires_facts_updated <= ${time})`,
  ];
}
