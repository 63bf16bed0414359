/** The table of user groups. */

import { type Change, insertChange } from '../../../platform/changes/index.ts';
import { type Database, type Row, type Statement, sql } from '../../../platform/storage/index.ts';
import { decodeJson } from '../columns.ts';
import type { UserGroup } from './user-group.ts';

export class UserGroupStore {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  async all(): Promise<readonly UserGroup[]> {
    const rows = await this.database.read(
      sql`select id, login, display_name, role_ids, directory_id from rbac_groups order by login, id`,
    );
    return rows.map(decodeGroup);
  }

  async add(group: UserGroup, changes: readonly Change[]): Promise<void> {
    const { directoryId, displayName, id, login, roleIds } = group;
    await this.database.write([
      sql`insert into rbac_groups (id, login, display_name, role_ids, directory_id)
        values (${id}, ${login}, ${displayName}, ${JSON.stringify(roleIds)}, ${directoryId})`,
      ...changes.map(insertChange),
    ]);
  }

  /** All groups or none. */
  async changeRoles(groups: readonly UserGroup[], changes: readonly Change[]): Promise<void> {
    await this.database.write([...groups.map(changeGroupRoles), ...changes.map(insertChange)]);
  }

  async remove(id: string, changes: readonly Change[]): Promise<void> {
    await this.database.write([sql`delete from rbac_groups where id = ${id}`, ...changes.map(insertChange)]);
  }
}

/** For transactions that change more than groups. */
export function changeGroupRoles({ id, roleIds }: UserGroup): Statement {
  return sql`update rbac_groups set role_ids = ${JSON.stringify(roleIds)} where id = ${id}`;
}

function decodeGroup(row: Row): UserGroup {
  return {
    id: String(row['id']),
    login: String(row['login']),
    displayName: String(row['display_name']),
    roleIds: decodeJson<readonly number[]>(row['role_ids']),
    directoryId: String(row['directory_id']),
  };
}
