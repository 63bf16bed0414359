/** Commands that could not be carried out, with the reason. */

import { type Database, sql } from '../../../platform/storage/index.ts';
import type { Submission } from '../commands/submission.ts';

export async function keepDeadLetter(
  database: Database,
  submission: Submission,
  received: string,
  reason: string,
): Promise<void> {
  const { id, command, version, certname, payload } = submission;
  await database.write([
    sql`insert into pdb_dead_letters (id, command, version, certname, received, reason, payload)
      values (${id}, ${command}, ${Number.isInteger(version) ? version : 0}, ${certname}, ${received}, ${reason},
        ${payload}) on conflict (id) do nothing`,
  ]);
}

export interface DeadLetter {
  readonly id: string;
  readonly command: string;
  readonly certname: string;
  readonly reason: string;
}

/** The newest first. */
export async function listDeadLetters(database: Database, limit: number): Promise<readonly DeadLetter[]> {
  const rows = await database.read(
    sql`select id, command, certname, reason from pdb_dead_letters order by received desc limit ${limit}`,
  );
  return rows.map((row) => ({
    id: String(row['id']),
    command: String(row['command']),
    certname: String(row['certname']),
    reason: String(row['reason']),
  }));
}
