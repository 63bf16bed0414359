/** The outbox's table. */

import { type Database, type Migration, type Row, sql } from '../../platform/storage/index.ts';
import type { Message, MessageKind } from './message.ts';

export const outboxMigrations: readonly Migration[] = [
  {
    component: 'outbox',
    number: 1,
    name: 'messages',
    statements: ({ types }) => [
      `create table outbox_messages (id ${types.identity}, kind ${types.text} not null, ` +
        `certname ${types.text} not null, environment ${types.text} not null, payload ${types.text} not null)`,
    ],
  },
];

export interface StoredMessage extends Message {
  readonly id: number;
}

export class OutboxStore {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** Resolves when the message is on disk. */
  async add(message: Message): Promise<void> {
    const { kind, certname, environment, payload } = message;
    await this.database.write([
      sql`insert into outbox_messages (kind, certname, environment, payload)
          values (${kind}, ${certname}, ${environment}, ${payload})`,
    ]);
  }

  /** The oldest messages. */
  async oldest(limit: number): Promise<readonly StoredMessage[]> {
    const rows = await this.database.read(
      sql`select id, kind, certname, environment, payload from outbox_messages order by id limit ${limit}`,
    );
    return rows.map(decode);
  }

  async remove(id: number): Promise<void> {
    await this.database.write([sql`delete from outbox_messages where id = ${id}`]);
  }

  async count(): Promise<number> {
    const [row] = await this.database.read(sql`select count(*) as messages from outbox_messages`);
    return Number(row?.['messages'] ?? 0);
  }
}

function decode(row: Row): StoredMessage {
  return {
    id: Number(row['id']),
    kind: String(row['kind']) as MessageKind,
    certname: String(row['certname']),
    environment: String(row['environment']),
    payload: String(row['payload']),
  };
}
