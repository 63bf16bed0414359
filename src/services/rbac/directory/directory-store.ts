/** The table of directories. */

import { type Change, insertChange } from '../../../platform/changes/index.ts';
import {
  type Database,
  decodeTimestamp,
  encodeTimestamp,
  type Row,
  sql,
} from '../../../platform/storage/index.ts';
import { decodeBoolean, decodeJson, optional } from '../columns.ts';
import type { Directory, DirectorySettings } from './directory.ts';

export class DirectoryStore {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** In the order in which they were made, the disconnected ones too. */
  async all(): Promise<readonly Directory[]> {
    const rows = await this.database.read(
      sql`select id, created_at, is_connected, settings, password from rbac_directories order by created_at, id`,
    );
    return rows.map(decodeDirectory);
  }

  /** Added or replaced. */
  async save(directory: Directory, changes: readonly Change[]): Promise<void> {
    const { createdAt, id, isConnected, sealedPassword } = directory;
    const settings = JSON.stringify(directory.settings);
    await this.database.write([
      sql`insert into rbac_directories (id, created_at, is_connected, settings, password)
        values (${id}, ${encodeTimestamp(createdAt)}, ${isConnected}, ${settings}, ${sealedPassword ?? null})
        on conflict (id) do update set is_connected = excluded.is_connected, settings = excluded.settings,
          password = excluded.password`,
      ...changes.map(insertChange),
    ]);
  }

  /** With its user groups. */
  async remove(id: string, changes: readonly Change[]): Promise<void> {
    await this.database.write([
      sql`delete from rbac_groups where directory_id = ${id}`,
      sql`delete from rbac_directories where id = ${id}`,
      ...changes.map(insertChange),
    ]);
  }
}

function decodeDirectory(row: Row): Directory {
  return {
    id: String(row['id']),
    createdAt: decodeTimestamp(row['created_at']),
    isConnected: decodeBoolean(row['is_connected']),
    settings: decodeJson<DirectorySettings>(row['settings']),
    sealedPassword: optional(row['password'], String),
  };
}
