/** The tables of tokens and servers. */

import {
  type Database,
  decodeTimestamp,
  encodeTimestamp,
  type Migration,
  type Row,
  sql,
} from '../../platform/storage/index.ts';

export const infrastructureMigrations: readonly Migration[] = [
  {
    component: 'infrastructure',
    number: 1,
    name: 'tokens and servers',
    statements: ({ types }) => [
      `create table infrastructure_tokens (
        id ${types.text} primary key,
        digest ${types.text} not null,
        created_at ${types.timestamp} not null,
        created_by ${types.text} not null,
        expires_at ${types.timestamp},
        uses_left ${types.integer},
        certnames ${types.json} not null,
        alt_names ${types.json} not null
      )`,
      `create table infrastructure_token_uses (
        token_id ${types.text} not null,
        certname ${types.text} not null,
        key_digest ${types.text} not null,
        used_at ${types.timestamp} not null,
        primary key (token_id, certname, key_digest)
      )`,
      `create table infrastructure_servers (
        certname ${types.text} primary key,
        serial ${types.text},
        joined_at ${types.timestamp} not null,
        last_contact_at ${types.timestamp},
        last_report ${types.json}
      )`,
    ],
  },
  {
    component: 'infrastructure',
    number: 2,
    name: 'orders to leave',
    statements: ({ types }) => [
      `alter table infrastructure_servers add column ordered_to_leave_at ${types.timestamp}`,
      `alter table infrastructure_servers add column leave_cause ${types.text}`,
    ],
  },
];

export interface StoredToken {
  readonly id: string;
  /** SHA-256 of the secret, hexadecimal. */
  readonly digest: string;
  readonly createdAt: Date;
  readonly createdBy: string;
  /** `undefined`: never. */
  readonly expiresAt: Date | undefined;
  /** `undefined`: any number of times. */
  readonly usesLeft: number | undefined;
  /** Patterns as in a signing policy. */
  readonly certnames: readonly string[];
  readonly altNames: readonly string[];
}

export interface StoredServer {
  readonly certname: string;
  /** Of the certificate that it showed last, upper-case hexadecimal. */
  readonly serial: string | undefined;
  readonly joinedAt: Date;
  readonly lastContactAt: Date | undefined;
  /** As JSON, as it was sent. */
  readonly lastReport: string | undefined;
  readonly leaveOrder: LeaveOrder | undefined;
}

/** That a server is to drain and to leave. */
export interface LeaveOrder {
  readonly at: Date;
  /** Who or what ordered it, in words. */
  readonly cause: string;
}

export class InfrastructureStore {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  async addToken(token: StoredToken): Promise<void> {
    const expiresAt = token.expiresAt === undefined ? null : encodeTimestamp(token.expiresAt);
    await this.database.write([
      sql`insert into infrastructure_tokens
            (id, digest, created_at, created_by, expires_at, uses_left, certnames, alt_names)
          values (${token.id}, ${token.digest}, ${encodeTimestamp(token.createdAt)}, ${token.createdBy},
            ${expiresAt}, ${token.usesLeft ?? null}, ${JSON.stringify(token.certnames)},
            ${JSON.stringify(token.altNames)})`,
    ]);
  }

  async findToken(id: string): Promise<StoredToken | undefined> {
    return (await this.tokens()).find((token) => token.id === id);
  }

  /** The oldest first. */
  async tokens(): Promise<readonly StoredToken[]> {
    const rows = await this.database.read(
      sql`select id, digest, created_at, created_by, expires_at, uses_left, certnames, alt_names
          from infrastructure_tokens order by created_at, id`,
    );
    return rows.map(decodeToken);
  }

  /** @returns whether there was one */
  async removeToken(id: string): Promise<boolean> {
    const [removed] = await this.database.write([
      sql`delete from infrastructure_tokens where id = ${id}`,
      sql`delete from infrastructure_token_uses where token_id = ${id}`,
    ]);
    return (removed?.changes ?? 0) > 0;
  }

  async hasUsed(id: string, certname: string, keyDigest: string): Promise<boolean> {
    const rows = await this.database.read(
      sql`select certname from infrastructure_token_uses
          where token_id = ${id} and certname = ${certname} and key_digest = ${keyDigest}`,
    );
    return rows.length > 0;
  }

  async useToken(id: string, certname: string, keyDigest: string, now: Date): Promise<void> {
    await this.database.write([
      sql`update infrastructure_tokens set uses_left = uses_left - 1 where id = ${id} and uses_left is not null`,
      sql`insert into infrastructure_token_uses (token_id, certname, key_digest, used_at)
          values (${id}, ${certname}, ${keyDigest}, ${encodeTimestamp(now)})`,
    ]);
  }

  async servers(): Promise<readonly StoredServer[]> {
    const rows = await this.database.read(
      sql`select certname, serial, joined_at, last_contact_at, last_report, ordered_to_leave_at, leave_cause
          from infrastructure_servers order by certname`,
    );
    return rows.map(decodeServer);
  }

  /** An order to leave is kept as it is: `saveLeaveOrder` changes it. */
  async saveServer(server: Omit<StoredServer, 'leaveOrder'>): Promise<void> {
    const lastContactAt = server.lastContactAt === undefined ? null : encodeTimestamp(server.lastContactAt);
    const report = server.lastReport ?? null;
    const serial = server.serial ?? null;
    await this.database.write([
      sql`insert into infrastructure_servers (certname, serial, joined_at, last_contact_at, last_report)
          values (${server.certname}, ${serial}, ${encodeTimestamp(server.joinedAt)}, ${lastContactAt}, ${report})
          on conflict (certname) do update
          set serial = ${serial}, last_contact_at = ${lastContactAt}, last_report = ${report}`,
    ]);
  }

  async saveLeaveOrder(certname: string, order: LeaveOrder | undefined): Promise<void> {
    const at = order === undefined ? null : encodeTimestamp(order.at);
    await this.database.write([
      sql`update infrastructure_servers set ordered_to_leave_at = ${at}, leave_cause = ${order?.cause ?? null}
          where certname = ${certname}`,
    ]);
  }

  async removeServer(certname: string): Promise<void> {
    await this.database.write([sql`delete from infrastructure_servers where certname = ${certname}`]);
  }
}

function decodeToken(row: Row): StoredToken {
  return {
    id: String(row['id']),
    digest: String(row['digest']),
    createdAt: decodeTimestamp(row['created_at']),
    createdBy: String(row['created_by']),
    expiresAt: optional(row['expires_at'], decodeTimestamp),
    usesLeft: optional(row['uses_left'], Number),
    certnames: decodeNames(row['certnames']),
    altNames: decodeNames(row['alt_names']),
  };
}

function decodeServer(row: Row): StoredServer {
  return {
    certname: String(row['certname']),
    serial: optional(row['serial'], String),
    joinedAt: decodeTimestamp(row['joined_at']),
    lastContactAt: optional(row['last_contact_at'], decodeTimestamp),
    lastReport: optional(row['last_report'], jsonText),
    leaveOrder: optional(row['ordered_to_leave_at'], (at) => ({
      at: decodeTimestamp(at),
      cause: String(row['leave_cause']),
    })),
  };
}

function optional<T>(value: unknown, decode: (value: unknown) => T): T | undefined {
  return value === null || value === undefined ? undefined : decode(value);
}

/** A database that knows JSON may give it decoded. */
function jsonText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function decodeNames(value: unknown): readonly string[] {
  return (JSON.parse(jsonText(value)) as readonly unknown[]).map(String);
}
