/** The table of saved views. */

import {
  type Database,
  decodeTimestamp,
  encodeTimestamp,
  type Migration,
  type Row,
  sql,
} from '../../../platform/storage/index.ts';
import type { SavedView, ViewKind } from './saved-views.ts';

export const consoleMigrations: readonly Migration[] = [
  {
    component: 'console',
    number: 1,
    name: 'saved views',
    statements: ({ types }) => [
      `create table console_views (
        id ${types.text} primary key,
        kind ${types.text} not null,
        name ${types.text} not null,
        content ${types.text} not null,
        owner_id ${types.text} not null,
        owner_login ${types.text} not null,
        is_shared ${types.boolean} not null,
        changed_at ${types.timestamp} not null
      )`,
      'create index console_views_of_owner on console_views (owner_id)',
    ],
  },
];

export class ViewStore {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** A user's own views and those that others share, by name. */
  async visible(userId: string): Promise<readonly SavedView[]> {
    const rows = await this.database.read(
      sql`select id, kind, name, content, owner_id, owner_login, is_shared, changed_at from console_views
        where owner_id = ${userId} or is_shared = ${true} order by name, id`,
    );
    return rows.map(decodeView);
  }

  async find(id: string): Promise<SavedView | undefined> {
    const [row] = await this.database.read(
      sql`select id, kind, name, content, owner_id, owner_login, is_shared, changed_at from console_views
        where id = ${id}`,
    );
    return row === undefined ? undefined : decodeView(row);
  }

  async countOf(userId: string): Promise<number> {
    const [row] = await this.database.read(
      sql`select count(*) as views from console_views where owner_id = ${userId}`,
    );
    return Number(row?.['views'] ?? 0);
  }

  /** Adds a view, or replaces the one of this id. */
  async save({
    changedAt,
    content,
    id,
    isShared,
    kind,
    name,
    ownerId,
    ownerLogin,
  }: SavedView): Promise<void> {
    await this.database.write([
      sql`insert into console_views (id, kind, name, content, owner_id, owner_login, is_shared, changed_at)
        values (${id}, ${kind}, ${name}, ${content}, ${ownerId}, ${ownerLogin}, ${isShared},
          ${encodeTimestamp(changedAt)})
        on conflict (id) do update set name = excluded.name, content = excluded.content,
          is_shared = excluded.is_shared, changed_at = excluded.changed_at`,
    ]);
  }

  async remove(id: string): Promise<void> {
    await this.database.write([sql`delete from console_views where id = ${id}`]);
  }
}

function decodeView(row: Row): SavedView {
  return {
    id: String(row['id']),
    kind: String(row['kind']) as ViewKind,
    name: String(row['name']),
    content: String(row['content']),
    ownerId: String(row['owner_id']),
    ownerLogin: String(row['owner_login']),
    isShared: row['is_shared'] === true || row['is_shared'] === 1,
    changedAt: decodeTimestamp(String(row['changed_at'])),
  };
}
