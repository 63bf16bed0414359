/** The table of second factors. */

import { type Change, insertChange } from '../../../platform/changes/index.ts';
import { type Database, type Row, sql } from '../../../platform/storage/index.ts';
import { decodeBoolean, decodeJson } from '../columns.ts';

export interface SecondFactor {
  readonly userId: string;
  /** Encrypted. */
  readonly sealedSecret: string;
  /** Until the user has shown a first code, the factor is not asked for. */
  readonly isConfirmed: boolean;
  /** The last step whose code was taken. */
  readonly lastStep: number;
  /** Of recovery codes that were not used yet. */
  readonly recoveryDigests: readonly string[];
}

export class SecondFactorStore {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  async find(userId: string): Promise<SecondFactor | undefined> {
    const rows = await this.database.read(
      sql`select user_id, secret, is_confirmed, last_step, recovery_digests from rbac_second_factors
        where user_id = ${userId}`,
    );
    return rows.map(decodeFactor)[0];
  }

  /** Added or replaced. */
  async save(factor: SecondFactor, changes: readonly Change[]): Promise<void> {
    const { isConfirmed, lastStep, recoveryDigests, sealedSecret, userId } = factor;
    await this.database.write([
      sql`insert into rbac_second_factors (user_id, secret, is_confirmed, last_step, recovery_digests)
        values (${userId}, ${sealedSecret}, ${isConfirmed}, ${lastStep}, ${JSON.stringify(recoveryDigests)})
        on conflict (user_id) do update set secret = excluded.secret, is_confirmed = excluded.is_confirmed,
          last_step = excluded.last_step, recovery_digests = excluded.recovery_digests`,
      ...changes.map(insertChange),
    ]);
  }

  async remove(userId: string, changes: readonly Change[]): Promise<void> {
    await this.database.write([
      sql`delete from rbac_second_factors where user_id = ${userId}`,
      ...changes.map(insertChange),
    ]);
  }
}

function decodeFactor(row: Row): SecondFactor {
  return {
    userId: String(row['user_id']),
    sealedSecret: String(row['secret']),
    isConfirmed: decodeBoolean(row['is_confirmed']),
    lastStep: Number(row['last_step']),
    recoveryDigests: decodeJson<readonly string[]>(row['recovery_digests']),
  };
}
