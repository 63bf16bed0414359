/** The tables of claims and grants. */

import {
  type Database,
  decodeTimestamp,
  encodeTimestamp,
  type Migration,
  type Row,
  sql,
} from '../../platform/storage/index.ts';

export const identityMigrations: readonly Migration[] = [
  {
    component: 'identity',
    number: 1,
    name: 'claims and grants',
    statements: ({ types }) => [
      `create table identity_claims (
        instance ${types.text} primary key,
        certname ${types.text} not null,
        key_digest ${types.text} not null,
        claimed_at ${types.timestamp} not null
      )`,
      `create table identity_grants (
        id ${types.text} primary key,
        digest ${types.text} not null,
        certname ${types.text} not null,
        key_digest ${types.text} not null,
        provider ${types.text} not null,
        is_key_bound ${types.integer} not null,
        attributes ${types.json} not null,
        expires_at ${types.timestamp} not null,
        used_at ${types.timestamp}
      )`,
    ],
  },
];

/** Which key and name a machine or pod has claimed last. */
export interface Claim {
  readonly instance: string;
  readonly certname: string;
  readonly keyDigest: string;
  readonly claimedAt: Date;
}

/** Longer than any machine of a pool lives; the name of its certificate protects it beyond that. */
const claimLifeMs = 2 * 365 * 24 * 60 * 60 * 1000;

export interface StoredGrant {
  readonly id: string;
  /** SHA-256 of the secret, hexadecimal. */
  readonly digest: string;
  readonly certname: string;
  readonly keyDigest: string;
  readonly provider: string;
  readonly isKeyBound: boolean;
  readonly attributes: Readonly<Record<string, string>>;
  readonly expiresAt: Date;
  readonly usedAt: Date | undefined;
}

export class IdentityStore {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  async findClaim(instance: string): Promise<Claim | undefined> {
    const [row] = await this.database.read(
      sql`select instance, certname, key_digest, claimed_at from identity_claims where instance = ${instance}`,
    );
    return row && decodeClaim(row);
  }

  /** Replaces the claim of the same instance, and forgets grants that ended before `now` and claims of long ago. */
  async save(claim: Claim, grant: StoredGrant, now: Date): Promise<void> {
    const claimedAt = encodeTimestamp(claim.claimedAt);
    await this.database.write([
      sql`delete from identity_grants where expires_at < ${encodeTimestamp(now)}`,
      sql`delete from identity_claims where claimed_at < ${encodeTimestamp(new Date(now.getTime() - claimLifeMs))}`,
      sql`insert into identity_claims (instance, certname, key_digest, claimed_at)
          values (${claim.instance}, ${claim.certname}, ${claim.keyDigest}, ${claimedAt})
          on conflict (instance) do update
          set certname = ${claim.certname}, key_digest = ${claim.keyDigest}, claimed_at = ${claimedAt}`,
      sql`insert into identity_grants
            (id, digest, certname, key_digest, provider, is_key_bound, attributes, expires_at)
          values (${grant.id}, ${grant.digest}, ${grant.certname}, ${grant.keyDigest}, ${grant.provider},
            ${grant.isKeyBound ? 1 : 0}, ${JSON.stringify(grant.attributes)}, ${encodeTimestamp(grant.expiresAt)})`,
    ]);
  }

  async findGrant(id: string): Promise<StoredGrant | undefined> {
    const [row] = await this.database.read(
      sql`select id, digest, certname, key_digest, provider, is_key_bound, attributes, expires_at, used_at
          from identity_grants where id = ${id}`,
    );
    return row && decodeGrant(row);
  }

  /** @returns false when it has been used before */
  async useGrant(id: string, now: Date): Promise<boolean> {
    const [used] = await this.database.write([
      sql`update identity_grants set used_at = ${encodeTimestamp(now)} where id = ${id} and used_at is null`,
    ]);
    return (used?.changes ?? 0) > 0;
  }

  /** The name that an instance of AWS has proved itself for, whatever its account. */
  async findCertnameOfInstance(instanceId: string): Promise<string | undefined> {
    const [row] = await this.database.read(
      sql`select certname from identity_claims where instance like ${`aws/%/${instanceId}`}`,
    );
    return row && String(row['certname']);
  }

  /** Whether a grant for that name and key may still be used. */
  async hasOpenGrant(certname: string, keyDigest: string, now: Date): Promise<boolean> {
    const rows = await this.database.read(
      sql`select id from identity_grants where certname = ${certname} and key_digest = ${keyDigest}
          and used_at is null and expires_at > ${encodeTimestamp(now)} limit 1`,
    );
    return rows.length > 0;
  }
}

function decodeClaim(row: Row): Claim {
  return {
    instance: String(row['instance']),
    certname: String(row['certname']),
    keyDigest: String(row['key_digest']),
    claimedAt: decodeTimestamp(row['claimed_at']),
  };
}

function decodeGrant(row: Row): StoredGrant {
  const usedAt = row['used_at'];
  return {
    id: String(row['id']),
    digest: String(row['digest']),
    certname: String(row['certname']),
    keyDigest: String(row['key_digest']),
    provider: String(row['provider']),
    isKeyBound: Number(row['is_key_bound']) === 1,
    attributes: decodeAttributes(row['attributes']),
    expiresAt: decodeTimestamp(row['expires_at']),
    usedAt: usedAt === null || usedAt === undefined ? undefined : decodeTimestamp(usedAt),
  };
}

/** A database that knows JSON may give it decoded. */
function decodeAttributes(value: unknown): Readonly<Record<string, string>> {
  const object = (typeof value === 'string' ? JSON.parse(value) : value) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.entries(object).map(([name, text]) => [name, String(text)]));
}
