/** The table of preferences. */

import { type Database, type Migration, sql } from '../../../platform/storage/index.ts';

export const preferenceMigrations: readonly Migration[] = [
  {
    component: 'console',
    number: 2,
    name: 'preferences',
    statements: ({ types }) => [
      `create table console_preferences (
        user_id ${types.text} not null primary key,
        content ${types.document} not null
      )`,
    ],
  },
];

export class PreferenceStore {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** @returns what `save` was given last; `undefined` for a user who has chosen nothing */
  async find(userId: string): Promise<unknown> {
    const [row] = await this.database.read(
      sql`select content from console_preferences where user_id = ${userId}`,
    );
    const content = row?.['content'];
    return typeof content === 'string' ? JSON.parse(content) : content;
  }

  async save(userId: string, content: object): Promise<void> {
    const text = JSON.stringify(content);
    await this.database.write([
      sql`insert into console_preferences (user_id, content) values (${userId}, ${text})
        on conflict (user_id) do update set content = excluded.content`,
    ]);
  }
}
