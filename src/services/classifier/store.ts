/** The tables of groups and environments. */

import { type Change, insertChange } from '../../platform/changes/index.ts';
import {
  type Database,
  decodeTimestamp,
  encodeTimestamp,
  type Migration,
  type Row,
  type Statement,
  sql,
} from '../../platform/storage/index.ts';
import { checkInMigrations } from './check-ins/store.ts';
import { definitionOf, type Group, type GroupDefinition } from './group.ts';

export const classifierMigrations: readonly Migration[] = [
  {
    component: 'classifier',
    number: 1,
    name: 'groups',
    statements: ({ types }) => [
      `create table classifier_groups (
        id ${types.text} not null primary key,
        serial_number ${types.integer} not null,
        last_edited ${types.timestamp} not null,
        definition ${types.document} not null
      )`,
    ],
  },
  {
    component: 'classifier',
    number: 2,
    name: 'environments',
    statements: ({ types }) => [
      `create table classifier_environments (name ${types.text} not null primary key)`,
    ],
  },
  ...checkInMigrations,
];

export class GroupStore {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  async all(): Promise<readonly Group[]> {
    const rows = await this.database.read(
      sql`select id, serial_number, last_edited, definition from classifier_groups order by id`,
    );
    return rows.map(decodeRow);
  }

  /** All or none: added, replaced, and removed. @param removed - ids */
  async save(
    groups: readonly Group[],
    changes: readonly Change[],
    removed: readonly string[] = [],
  ): Promise<void> {
    await this.database.write([
      ...removed.map((id) => sql`delete from classifier_groups where id = ${id}`),
      ...groups.map(upsert),
      ...changes.map(insertChange),
    ]);
  }

  /** These and no others, from now on. */
  async replaceAll(groups: readonly Group[], changes: readonly Change[]): Promise<void> {
    await this.database.write([
      sql`delete from classifier_groups where id <> ''`,
      ...groups.map(upsert),
      ...changes.map(insertChange),
    ]);
  }

  /** Environments that somebody has told of, by name. */
  async environments(): Promise<readonly string[]> {
    const rows = await this.database.read(sql`select name from classifier_environments order by name`);
    return rows.map(({ name }) => String(name));
  }

  async addEnvironment(name: string): Promise<void> {
    await this.database.write([
      sql`insert into classifier_environments (name) values (${name}) on conflict (name) do nothing`,
    ]);
  }

  async remove(id: string, changes: readonly Change[]): Promise<void> {
    await this.database.write([
      sql`delete from classifier_groups where id = ${id}`,
      ...changes.map(insertChange),
    ]);
  }
}

function upsert(group: Group): Statement {
  const definition = JSON.stringify(definitionOf(group));
  return sql`insert into classifier_groups (id, serial_number, last_edited, definition)
    values (${group.id}, ${group.serialNumber}, ${encodeTimestamp(group.lastEdited)}, ${definition})
    on conflict (id) do update set serial_number = excluded.serial_number, last_edited = excluded.last_edited,
      definition = excluded.definition`;
}

type StoredDefinition = Omit<GroupDefinition, 'configData'> & Partial<Pick<GroupDefinition, 'configData'>>;

function decodeRow(row: Row): Group {
  const definition = row['definition'];
  // Only this store writes there.
  const decoded = (typeof definition === 'string' ? JSON.parse(definition) : definition) as StoredDefinition;
  return {
    ...decoded,
    // Groups that were stored before they could have any.
    configData: decoded.configData ?? {},
    id: String(row['id']),
    serialNumber: Number(row['serial_number']),
    lastEdited: decodeTimestamp(row['last_edited']),
  };
}
