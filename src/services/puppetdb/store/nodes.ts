/** Nodes: what all commands have to do with them. */

import { type Statement, sql, type Transaction } from '../../../platform/storage/index.ts';
import { holdSharedRows } from './shared-rows.ts';

/**
 * Makes the node known, and brings it back when it was away: unless it was sent away after the data was made.
 *
 * No other transaction writes anything of this node until this one ends.
 *
 * @returns the node's id
 */
export async function touchNode(
  transaction: Transaction,
  certname: string,
  producerTimestamp: string,
): Promise<number> {
  const { id, deactivated, expired } = await claimNode(transaction, certname);
  const isAway = deactivated !== null || expired !== null;
  if (isAway && (deactivated === null || deactivated < producerTimestamp)) {
    await transaction.run(sql`update pdb_nodes set deactivated = null, expired = null where id = ${id}`);
  }
  return id;
}

interface ClaimedNode {
  readonly id: number;
  readonly deactivated: string | null;
  readonly expired: string | null;
}

async function claimNode(transaction: Transaction, certname: string): Promise<ClaimedNode> {
  const claim = sql`select id, deactivated, expired from pdb_nodes where certname = ${certname}${transaction.dialect.lockingRows}`;
  const [known] = await transaction.read(claim);
  if (known !== undefined) return known as unknown as ClaimedNode;
  await transaction.run(
    sql`insert into pdb_nodes (certname, expires_facts) values (${certname}, ${true})
      on conflict (certname) do nothing`,
  );
  const [made] = await transaction.read(claim);
  return made as unknown as ClaimedNode;
}

/** What data of a node names besides the node. */
export interface Origin {
  readonly environment: string | null;
  readonly producer: string | null;
}

/** @param known - what is there already and refers to the same, perhaps */
export async function ensureOrigin(
  transaction: Transaction,
  { environment, producer }: Origin,
  known?: Readonly<Record<string, unknown>>,
): Promise<void> {
  const isNew = (name: 'environment' | 'producer', value: string | null): value is string =>
    value !== null && known?.[name] !== value;
  if (!isNew('environment', environment) && !isNew('producer', producer)) return;
  await holdSharedRows(transaction);
  if (isNew('environment', environment)) {
    await transaction.run(
      sql`insert into pdb_environments (name) values (${environment}) on conflict (name) do nothing`,
    );
  }
  if (isNew('producer', producer)) {
    await transaction.run(
      sql`insert into pdb_producers (name) values (${producer}) on conflict (name) do nothing`,
    );
  }
}

/** A node that has sent something since is not deactivated. */
export async function deactivateNode(
  transaction: Transaction,
  certname: string,
  time: string,
): Promise<void> {
  const { id } = await claimNode(transaction, certname);
  await transaction.run(
    sql`update pdb_nodes set deactivated = ${time} where id = ${id} and deactivated is null
      and not exists (select 1 from pdb_factsets d where d.node_id = pdb_nodes.id and d.producer_timestamp > ${time})
      and not exists (select 1 from pdb_catalogs d where d.node_id = pdb_nodes.id and d.producer_timestamp > ${time})
      and not exists (select 1 from pdb_reports d where d.node_id = pdb_nodes.id and d.producer_timestamp > ${time})`,
  );
}

export async function configureExpiration(
  transaction: Transaction,
  certname: string,
  expiresFacts: boolean,
  time: string,
): Promise<void> {
  const { id } = await claimNode(transaction, certname);
  await transaction.run(setExpiration(id, expiresFacts, time));
}

function setExpiration(id: number, expiresFacts: boolean, time: string): Statement {
  return sql`update pdb_nodes set expires_facts = ${expiresFacts}, expires_facts_updated = ${time}
    where id = ${id} and (expires_facts_updated is null or expires_facts_updated <= ${time})`;
}
