/** The outbox's tables. */

import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import {
  type Database,
  encodeTimestamp,
  type Migration,
  type Row,
  type Statement,
  sql,
} from '../../platform/storage/index.ts';
import type { Content, Message } from './message.ts';

export const outboxMigrations: readonly Migration[] = [
  {
    component: 'outbox',
    number: 1,
    name: 'commands, contents of catalogs',
    statements: ({ types }) => [
      `create table outbox_commands (
        id ${types.identity},
        command ${types.text} not null,
        version ${types.integer} not null,
        certname ${types.text} not null,
        producer_timestamp ${types.text} not null,
        payload ${types.text} not null,
        content_id ${types.text}
      )`,
      'create index outbox_commands_of_node on outbox_commands (certname, command)',
      `create table outbox_contents (
        certname ${types.text} not null primary key,
        content_id ${types.text} not null,
        content ${types.bytes} not null,
        used_at ${types.timestamp} not null
      )`,
    ],
  },
];

export interface StoredMessage extends Message {
  readonly id: number;
}

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Contents are text that repeats itself: more effort than the least hardly makes them smaller. */
const compression = { level: 1 } as const;

/** Of these only the newest of a node counts: one that is not delivered yet is replaced. */
const superseding: readonly string[] = ['replace_facts', 'replace_catalog'];

/** How many names are kept in memory: some 150 bytes each. */
const mostKnown = 20_000;

/** So old the note may be that a content is in use. */
const noteIntervalMs = 24 * 60 * 60 * 1000;

export class OutboxStore {
  private readonly database: Database;
  private readonly now: () => Date;
  /** What is on disk still although it has been delivered. */
  private readonly delivered = new Set<number>();
  /** Names of contents, of the nodes that asked last. */
  private readonly known = new Map<string, { readonly id: string; readonly notedMs: number }>();

  constructor(database: Database, now: () => Date) {
    this.database = database;
    this.now = now;
  }

  /** Resolves when the message is on disk. @param content - of a catalog, when it is not kept already */
  async add(message: Message, content?: Content): Promise<void> {
    const delivered = [...this.delivered];
    const kept = content === undefined ? [] : [await this.keep(message.certname, content)];
    const { certname, command } = message;
    const replaced = superseding.includes(command)
      ? [sql`delete from outbox_commands where certname = ${certname} and command = ${command}`]
      : [];
    await this.database.write([...kept, ...replaced, ...this.removal(delivered), insert(message)]);
    if (content !== undefined) this.know(certname, content.id);
    this.forget(delivered);
  }

  /** It is not among the oldest any more, and is removed with the next message that is added. */
  noteDelivered(id: number): void {
    this.delivered.add(id);
  }

  get deliveredCount(): number {
    return this.delivered.size;
  }

  /** Removes what was delivered at once. */
  async removeDelivered(): Promise<void> {
    const delivered = [...this.delivered];
    if (delivered.length === 0) return;
    await this.database.write(this.removal(delivered));
    this.forget(delivered);
  }

  /** Keeps the content of a node's catalog for when it is wanted. Resolves when it is on disk. */
  async keepContent(certname: string, content: Content): Promise<void> {
    await this.database.write([await this.keep(certname, content)]);
    this.know(certname, content.id);
  }

  /** The oldest messages. */
  async oldest(limit: number): Promise<readonly StoredMessage[]> {
    const rows = await this.database.read(
      sql`select id, command, version, certname, producer_timestamp, payload, content_id from outbox_commands
        where id not in ${this.rows([...this.delivered])} order by id limit ${limit}`,
    );
    return rows.map(decode);
  }

  /** How many are not delivered yet. */
  async count(): Promise<number> {
    const [row] = await this.database.read(
      sql`select count(*) as messages from outbox_commands where id not in ${this.rows([...this.delivered])}`,
    );
    return Number(row?.['messages'] ?? 0);
  }

  /** The name of the content that is kept for a node; notes that it is in use. */
  async contentId(certname: string): Promise<string | undefined> {
    const known = this.known.get(certname);
    if (known !== undefined && known.notedMs > this.now().getTime() - noteIntervalMs) return known.id;
    const [row] = await this.database.read(
      sql`select content_id, used_at from outbox_contents where certname = ${certname}`,
    );
    if (row === undefined) return undefined;
    const now = this.now();
    const outdated = encodeTimestamp(new Date(now.getTime() - noteIntervalMs));
    if (String(row['used_at']) < outdated) {
      await this.database.write([
        sql`update outbox_contents set used_at = ${encodeTimestamp(now)} where certname = ${certname}`,
      ]);
    }
    const id = String(row['content_id']);
    this.know(certname, id);
    return id;
  }

  /** @returns `undefined` when another is kept, or none */
  async content(certname: string, id: string): Promise<Content | undefined> {
    const [row] = await this.database.read(
      sql`select content from outbox_contents where certname = ${certname} and content_id = ${id}`,
    );
    const packed = row?.['content'];
    if (!(packed instanceof Uint8Array)) return undefined;
    return { id, text: (await decompress(packed)).toString('utf8') };
  }

  /** Forgets contents that were not used since. */
  async deleteContents(before: Date): Promise<void> {
    await this.database.write([
      sql`delete from outbox_contents where used_at < ${encodeTimestamp(before)}
        and not exists (select 1 from outbox_commands where outbox_commands.certname = outbox_contents.certname)`,
    ]);
  }

  private know(certname: string, id: string): void {
    this.known.delete(certname);
    this.known.set(certname, { id, notedMs: this.now().getTime() });
    const [oldest] = this.known.keys();
    if (this.known.size > mostKnown && oldest !== undefined) this.known.delete(oldest);
  }

  private removal(ids: readonly number[]): readonly Statement[] {
    return ids.length === 0 ? [] : [sql`delete from outbox_commands where id in ${this.rows(ids)}`];
  }

  private rows(ids: readonly number[]): Statement {
    const { dialect } = this.database;
    return sql`(select listed.v0 from ${dialect.rows(JSON.stringify(ids.map((id) => [id])), ['integer'])} listed)`;
  }

  private forget(delivered: readonly number[]): void {
    for (const id of delivered) this.delivered.delete(id);
  }

  private async keep(certname: string, { id, text }: Content): Promise<Statement> {
    const packed = await compress(text, compression);
    return sql`insert into outbox_contents (certname, content_id, content, used_at)
      values (${certname}, ${id}, ${packed}, ${encodeTimestamp(this.now())})
      on conflict (certname) do update set content_id = excluded.content_id, content = excluded.content,
        used_at = excluded.used_at`;
  }
}

function insert({ certname, command, contentId, payload, producerTimestamp, version }: Message): Statement {
  return sql`insert into outbox_commands (command, version, certname, producer_timestamp, payload, content_id)
    values (${command}, ${version}, ${certname}, ${producerTimestamp}, ${payload}, ${contentId ?? null})`;
}

function decode(row: Row): StoredMessage {
  const contentId = row['content_id'];
  return {
    id: Number(row['id']),
    command: String(row['command']),
    version: Number(row['version']),
    certname: String(row['certname']),
    producerTimestamp: String(row['producer_timestamp']),
    payload: String(row['payload']),
    ...(typeof contentId === 'string' ? { contentId } : {}),
  };
}
