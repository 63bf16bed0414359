/** The tables of identity providers, of answers of theirs that count once, and of our key for SAML. */

import { type Change, insertChange } from '../../../platform/changes/index.ts';
import {
  type Database,
  decodeTimestamp,
  encodeTimestamp,
  type Row,
  sql,
} from '../../../platform/storage/index.ts';
import { decodeJson, optional } from '../columns.ts';
import type { IdentityProvider } from './identity-provider.ts';

interface StoredKey {
  readonly certificate: string;
  /** Encrypted. */
  readonly sealedKey: string;
}

const samlKey = 'saml';

export class ProviderStore {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** In the order in which they were made. */
  async all(): Promise<readonly IdentityProvider[]> {
    const rows = await this.database.read(
      sql`select id, created_at, name, display_name, settings, secret from rbac_identity_providers
        order by created_at, id`,
    );
    return rows.map(decodeProvider);
  }

  /** Added or replaced. */
  async save(provider: IdentityProvider, changes: readonly Change[]): Promise<void> {
    const { createdAt, displayName, id, name, sealedSecret } = provider;
    const settings = JSON.stringify(provider.settings);
    await this.database.write([
      sql`insert into rbac_identity_providers (id, created_at, name, display_name, settings, secret)
        values (${id}, ${encodeTimestamp(createdAt)}, ${name}, ${displayName}, ${settings}, ${sealedSecret ?? null})
        on conflict (id) do update set name = excluded.name, display_name = excluded.display_name,
          settings = excluded.settings, secret = excluded.secret`,
      ...changes.map(insertChange),
    ]);
  }

  /** With its users, their tokens, and its user groups. */
  async remove(id: string, changes: readonly Change[]): Promise<void> {
    await this.database.write([
      sql`delete from rbac_tokens where user_id in (select id from rbac_users where directory_id = ${id})`,
      sql`delete from rbac_users where directory_id = ${id}`,
      sql`delete from rbac_groups where directory_id = ${id}`,
      sql`delete from rbac_identity_providers where id = ${id}`,
      ...changes.map(insertChange),
    ]);
  }

  /** By which SAML providers know us. */
  async findKey(): Promise<StoredKey | undefined> {
    const [row] = await this.database.read(
      sql`select certificate, private_key from rbac_service_keys where name = ${samlKey}`,
    );
    return row && { certificate: String(row['certificate']), sealedKey: String(row['private_key']) };
  }

  /** Keeps the first: another server may have made one meanwhile. */
  async addKey({ certificate, sealedKey }: StoredKey): Promise<void> {
    await this.database.write([
      sql`insert into rbac_service_keys (name, certificate, private_key)
        values (${samlKey}, ${certificate}, ${sealedKey}) on conflict (name) do nothing`,
    ]);
  }

  /** Forgets those whose time is over. @returns whether it is the first time, on any server of this database */
  async takeOnce(id: string, expiresAt: Date, now: Date): Promise<boolean> {
    const [, inserted] = await this.database.write([
      sql`delete from rbac_taken_answers where expires_at < ${encodeTimestamp(now)}`,
      sql`insert into rbac_taken_answers (id, expires_at) values (${id}, ${encodeTimestamp(expiresAt)})
        on conflict (id) do nothing returning id`,
    ]);
    return inserted?.rows.length === 1;
  }
}

function decodeProvider(row: Row): IdentityProvider {
  return {
    id: String(row['id']),
    createdAt: decodeTimestamp(row['created_at']),
    name: String(row['name']),
    displayName: String(row['display_name']),
    settings: decodeJson<IdentityProvider['settings']>(row['settings']),
    sealedSecret: optional(row['secret'], String),
  };
}
