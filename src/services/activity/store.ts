/** Reads changes, the newest first or last. They are written by the stores of the changed objects. */

import type { Json } from '../../lib/json.ts';
import { type Change, type ChangeEvent, changeColumns, insertChange } from '../../platform/changes/index.ts';
import {
  type Database,
  decodeTimestamp,
  encodeTimestamp,
  fixedSql,
  type Row,
  type Statement,
  sql,
} from '../../platform/storage/index.ts';
import type { ActivityFilter, RecordedChange } from './activity.ts';

export interface ChangePage {
  readonly changes: readonly RecordedChange[];
  /** How many there are without `offset` and `limit`. */
  readonly total: number;
}

/** The filters of a list of changes; all of them must match. */
export interface ChangeListFilter {
  readonly services: readonly string[];
  readonly objectType: string | undefined;
  readonly objectId: string | undefined;
  /** The name of the author. */
  readonly by: string | undefined;
  /** A part of the name of the object or the author, or of a message. */
  readonly words: string | undefined;
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  /** Only changes with a smaller number. */
  readonly before: number | undefined;
  readonly limit: number;
}

export class ActivityStore {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  async find(filter: ActivityFilter): Promise<ChangePage> {
    const { limit, offset, order } = filter;
    const where = conditionsOf(filter);
    const direction = fixedSql(order);
    const [rows, counted] = await Promise.all([
      this.database.read(
        sql`select ${changeColumns} from changes where ${where} order by id ${direction} limit ${limit} offset ${offset}`,
      ),
      this.database.read(sql`select count(*) as total from changes where ${where}`),
    ]);
    return { changes: rows.map(decodeChange), total: Number(counted[0]?.['total'] ?? 0) };
  }

  /** The newest first. */
  async list(filter: ChangeListFilter): Promise<readonly RecordedChange[]> {
    const rows = await this.database.read(
      sql`select ${changeColumns} from changes where ${listConditions(filter)} order by id desc limit ${filter.limit}`,
    );
    return rows.map(decodeChange);
  }

  async findChange(id: number): Promise<RecordedChange | undefined> {
    const [row] = await this.database.read(sql`select ${changeColumns} from changes where id = ${id}`);
    return row === undefined ? undefined : decodeChange(row);
  }

  /** Later changes, the first of them first. */
  async after(id: number, limit: number): Promise<readonly RecordedChange[]> {
    const rows = await this.database.read(
      sql`select ${changeColumns} from changes where id > ${id} order by id limit ${limit}`,
    );
    return rows.map(decodeChange);
  }

  /** 0 before the first change. */
  async lastId(): Promise<number> {
    const [row] = await this.database.read(sql`select max(id) as last from changes`);
    return Number(row?.['last'] ?? 0);
  }

  /** Up to which change somebody has been told. @returns `undefined` for who has never been told anything */
  async streamPosition(sink: string): Promise<number | undefined> {
    const [row] = await this.database.read(sql`select last_id from change_streams where sink = ${sink}`);
    return row === undefined ? undefined : Number(row['last_id']);
  }

  async noteStreamPosition(sink: string, id: number): Promise<void> {
    await this.database.write([
      sql`insert into change_streams (sink, last_id) values (${sink}, ${id})
        on conflict (sink) do update set last_id = ${id}`,
    ]);
  }

  /** For changes whose effect is not in the database. */
  async record(change: Change): Promise<void> {
    await this.database.write([insertChange(change)]);
  }

  /** @returns how many were removed */
  async removeBefore(time: Date): Promise<number> {
    const [result] = await this.database.write([
      sql`delete from changes where changed_at < ${encodeTimestamp(time)}`,
    ]);
    return result?.changes ?? 0;
  }
}

function conditionsOf({ alternatives, services, ...filter }: ActivityFilter): Statement {
  return and([
    anyOf(services.map((service) => sql`service = ${service}`)),
    ...Object.values(alternatives).flatMap((each) =>
      each.length === 0 ? [] : [anyOf(each.map(conditionOf))],
    ),
    ...(filter.after === undefined ? [] : [sql`changed_at > ${encodeTimestamp(filter.after)}`]),
  ]);
}

function conditionOf(
  alternative: ActivityFilter['alternatives'][keyof ActivityFilter['alternatives']][number],
): Statement {
  switch (alternative.kind) {
    case 'object':
      return alternative.id === undefined
        ? sql`object_type = ${alternative.type}`
        : sql`object_type = ${alternative.type} and object_id = ${alternative.id}`;
    case 'author':
      return and([
        anyOf(alternative.authorKinds.map((kind) => sql`author_kind = ${kind}`)),
        ...(alternative.id === undefined ? [] : [sql`author_id = ${alternative.id}`]),
      ]);
    case 'address':
      return sql`address = ${alternative.address}`;
    case 'time':
      return and([
        ...(alternative.start === undefined
          ? []
          : [sql`changed_at >= ${encodeTimestamp(alternative.start)}`]),
        ...(alternative.end === undefined ? [] : [sql`changed_at <= ${encodeTimestamp(alternative.end)}`]),
      ]);
    default:
      return alternative satisfies never;
  }
}

function listConditions(filter: ChangeListFilter): Statement {
  const { before, by, from, objectId, objectType, services, to, words } = filter;
  const pattern = `%${(words ?? '').toLowerCase().replaceAll(/[~%_]/g, '~$&')}%`;
  const like = sql`like ${pattern} escape '~'`;
  return and([
    anyOf(services.map((service) => sql`service = ${service}`)),
    ...(objectType === undefined ? [] : [sql`object_type = ${objectType}`]),
    ...(objectId === undefined ? [] : [sql`object_id = ${objectId}`]),
    ...(by === undefined ? [] : [sql`author_name = ${by}`]),
    ...(words === undefined
      ? []
      : [
          sql`lower(object_name) ${like} or lower(author_name) ${like} or lower(cast(events as text)) ${like}`,
        ]),
    ...(from === undefined ? [] : [sql`changed_at >= ${encodeTimestamp(from)}`]),
    ...(to === undefined ? [] : [sql`changed_at <= ${encodeTimestamp(to)}`]),
    ...(before === undefined ? [] : [sql`id < ${before}`]),
  ]);
}

/** All of them; true without any. */
function and(conditions: readonly Statement[]): Statement {
  return conditions.reduce((all, each) => sql`${all} and (${each})`, fixedSql('1 = 1'));
}

/** One of them; false without any. */
function anyOf(conditions: readonly Statement[]): Statement {
  return conditions.reduce((any, each) => sql`${any} or (${each})`, fixedSql('1 = 0'));
}

function decodeChange(row: Row): RecordedChange {
  const address = row['address'];
  return {
    id: Number(row['id']),
    time: decodeTimestamp(row['changed_at']),
    object: {
      service: String(row['service']),
      type: String(row['object_type']),
      id: String(row['object_id']),
      name: String(row['object_name']),
    },
    author: {
      kind: String(row['author_kind']) as RecordedChange['author']['kind'],
      id: String(row['author_id']),
      name: String(row['author_name']),
      ...(typeof address === 'string' ? { address } : {}),
    },
    events: decodeJson(row['events']) as unknown as readonly ChangeEvent[],
    ...state('before', row['before_change']),
    ...state('after', row['after_change']),
  };
}

function state(name: 'before' | 'after', value: unknown): { readonly before?: Json; readonly after?: Json } {
  return value === null || value === undefined ? {} : { [name]: decodeJson(value) };
}

/** A database that knows JSON may give it decoded. */
function decodeJson(value: unknown): Json {
  return (typeof value === 'string' ? JSON.parse(value) : value) as Json;
}
