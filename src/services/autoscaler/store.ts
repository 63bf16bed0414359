/** The tables of settings and of decisions. */

import { type Change, insertChange } from '../../platform/changes/index.ts';
import {
  type Database,
  decodeTimestamp,
  encodeTimestamp,
  type Migration,
  type Row,
  sql,
} from '../../platform/storage/index.ts';
import { firstSettings, type ScalingSettings } from './settings.ts';

export const autoscalerMigrations: readonly Migration[] = [
  {
    component: 'autoscaler',
    number: 1,
    name: 'settings and history',
    statements: ({ types }) => [
      `create table autoscaler_settings (name ${types.text} not null primary key, value ${types.document} not null)`,
      `create table autoscaler_history (
        id ${types.identity},
        noted_at ${types.timestamp} not null,
        entry ${types.document} not null
      )`,
      'create index autoscaler_history_by_time on autoscaler_history (noted_at)',
    ],
  },
  {
    component: 'autoscaler',
    number: 2,
    name: 'servers and their orders',
    statements: ({ types }) => [
      `create table autoscaler_members (member_key ${types.text} not null primary key, member ${types.document} not null)`,
    ],
  },
];

/** Something that was decided, with the numbers by which it was. */
export interface HistoryEntry {
  /**
   * `advice`: another number of servers is wanted; `servers`: another number serves; `server`: what became of one of them; `settings`:
   * someone changed them.
   */
  readonly kind: 'advice' | 'servers' | 'server' | 'settings';
  readonly message: string;
  readonly serving: number;
  readonly wanted: number;
  /** Workers; absent while numbers are missing. */
  readonly numbers?: Readonly<Record<'work' | 'backlog' | 'planned' | 'capacity' | 'need', number>>;
}

export interface StoredEntry extends HistoryEntry {
  readonly id: number;
  readonly at: Date;
}

export class AutoscalerStore {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  async settings(): Promise<ScalingSettings> {
    const rows = await this.database.read(
      sql`select value from autoscaler_settings where name = ${'settings'}`,
    );
    const [row] = rows;
    return row === undefined ? firstSettings : { ...firstSettings, ...(documentOf(row['value']) as object) };
  }

  /** Together with its record, and with the entry of the history. */
  async saveSettings(settings: ScalingSettings, change: Change, entry: HistoryEntry): Promise<void> {
    const value = JSON.stringify(settings);
    await this.database.write([
      sql`insert into autoscaler_settings (name, value) values (${'settings'}, ${value})
          on conflict (name) do update set value = ${value}`,
      insertChange(change),
      insertEntry(entry, change.time),
    ]);
  }

  async addEntry(entry: HistoryEntry, at: Date): Promise<void> {
    await this.database.write([insertEntry(entry, at)]);
  }

  /** The newest first. @param before - only entries with a smaller id */
  async history(limit: number, before: number): Promise<readonly StoredEntry[]> {
    const rows = await this.database.read(
      sql`select id, noted_at, entry from autoscaler_history where id < ${before} order by id desc limit ${limit}`,
    );
    return rows.map(decodeEntry);
  }

  async removeBefore(time: Date): Promise<void> {
    await this.database.write([
      sql`delete from autoscaler_history where noted_at < ${encodeTimestamp(time)}`,
    ]);
  }
}

function insertEntry(entry: HistoryEntry, at: Date) {
  return sql`insert into autoscaler_history (noted_at, entry) values (${encodeTimestamp(at)}, ${JSON.stringify(entry)})`;
}

function decodeEntry(row: Row): StoredEntry {
  const entry = documentOf(row['entry']) as HistoryEntry;
  return { id: Number(row['id']), at: decodeTimestamp(row['noted_at']), ...entry };
}

/** A database that knows JSON may give it decoded. */
function documentOf(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : value;
}
