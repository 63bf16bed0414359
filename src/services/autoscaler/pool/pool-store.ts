/** The table of compile servers and their orders. */

import { type Database, type Row, sql } from '../../../platform/storage/index.ts';
import type { Member } from './member.ts';

type StoredMember = Omit<Member, 'orderedMs' | 'launchedMs' | 'missingMs'>;

/** What a process remembers of members does not outlive it. */
const unknownTimes = { orderedMs: undefined, launchedMs: undefined, missingMs: undefined };

export class PoolStore {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  async members(): Promise<readonly Member[]> {
    const rows = await this.database.read(sql`select member from autoscaler_members order by member_key`);
    return rows.map(decodeMember);
  }

  /** All at once, or nothing. */
  async save(members: readonly Member[], goneKeys: readonly string[]): Promise<void> {
    if (members.length + goneKeys.length === 0) return;
    await this.database.write([
      ...members.map((member) => {
        const text = encodeMember(member);
        return sql`insert into autoscaler_members (member_key, member) values (${member.key}, ${text})
            on conflict (member_key) do update set member = ${text}`;
      }),
      ...goneKeys.map((key) => sql`delete from autoscaler_members where member_key = ${key}`),
    ]);
  }
}

/** Whether a member has to be stored again. */
export function differs(before: Member | undefined, after: Member): boolean {
  return before === undefined || encodeMember(before) !== encodeMember(after);
}

function encodeMember(member: Member): string {
  return JSON.stringify({ ...member, ...unknownTimes });
}

function decodeMember(row: Row): Member {
  const value = row['member'];
  // A database that knows JSON may give it decoded.
  const kept = (typeof value === 'string' ? JSON.parse(value) : value) as StoredMember;
  // Absent values are not in JSON.
  return { ...kept, slot: kept.slot, leaving: kept.leaving, ending: kept.ending, ...unknownTimes };
}
