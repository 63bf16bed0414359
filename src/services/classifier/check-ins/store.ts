/** The table of check-ins. */

import {
  type Database,
  encodeTimestamp,
  type Migration,
  type Row,
  sql,
} from '../../../platform/storage/index.ts';
import type { CheckIn } from './check-in.ts';

export const checkInMigrations: readonly Migration[] = [
  {
    component: 'classifier check-ins',
    number: 1,
    name: 'check-ins',
    statements: ({ types }) => [
      // Explanations are given back as they are: nothing reads what they say.
      `create table classifier_check_ins (
        id ${types.identity},
        certname ${types.text} not null,
        checked_in_at ${types.timestamp} not null,
        transaction_uuid ${types.text},
        explanation ${types.text} not null
      )`,
      'create index classifier_check_ins_by_node on classifier_check_ins (certname, id)',
      'create index classifier_check_ins_by_time on classifier_check_ins (checked_in_at)',
    ],
  },
];

/** Two days of runs each half an hour. */
const mostPerNode = 100;

export interface StoredCheckIn {
  readonly certname: string;
  /** ISO 8601. */
  readonly time: string;
  readonly transactionUuid: string | null;
  /** JSON. */
  readonly explanation: string;
}

export class CheckInStore {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** Keeps the last check-ins of each node. */
  async add(checkIns: readonly CheckIn[]): Promise<void> {
    const certnames = new Set(checkIns.map(({ certname }) => certname));
    await this.database.write([
      ...checkIns.map(
        ({ certname, explanation, time, transactionUuid }) =>
          sql`insert into classifier_check_ins (certname, checked_in_at, transaction_uuid, explanation)
            values (${certname}, ${encodeTimestamp(time)}, ${transactionUuid ?? null}, ${explanation})`,
      ),
      ...Array.from(
        certnames,
        (certname) =>
          sql`delete from classifier_check_ins where certname = ${certname} and id <= (
            select id from classifier_check_ins where certname = ${certname}
            order by id desc limit 1 offset ${mostPerNode})`,
      ),
    ]);
  }

  /** Names of nodes with check-ins, in order. */
  async names({
    limit,
    offset,
  }: {
    readonly limit: number;
    readonly offset: number;
  }): Promise<readonly string[]> {
    const rows = await this.database.read(
      sql`select distinct certname from classifier_check_ins order by certname limit ${limit} offset ${offset}`,
    );
    return rows.map(({ certname }) => String(certname));
  }

  /** The check-ins of a node, the latest first. */
  async of(certname: string): Promise<readonly StoredCheckIn[]> {
    const rows = await this.database.read(
      sql`select certname, checked_in_at, transaction_uuid, explanation from classifier_check_ins
        where certname = ${certname} order by id desc`,
    );
    return rows.map(decodeRow);
  }

  /** @returns how many */
  async removeBefore(time: Date): Promise<number> {
    const [removed] = await this.database.write([
      sql`delete from classifier_check_ins where checked_in_at < ${encodeTimestamp(time)}`,
    ]);
    return removed?.changes ?? 0;
  }
}

function decodeRow(row: Row): StoredCheckIn {
  const uuid = row['transaction_uuid'];
  return {
    certname: String(row['certname']),
    time: String(row['checked_in_at']),
    transactionUuid: typeof uuid === 'string' ? uuid : null,
    explanation: String(row['explanation']),
  };
}
