/** Where facts were kept before they went to PuppetDB: read once more, and never written. */

import { type Database, decodeTimestamp, type Migration, sql } from '../../platform/storage/index.ts';
import type { FactSet } from './wire.ts';

export const oldFactMigrations: readonly Migration[] = [
  {
    component: 'facts',
    number: 1,
    name: 'keep the last facts of each node',
    statements: ({ types }) => [
      `create table facts (
        certname ${types.text} not null primary key,
        environment ${types.text} not null,
        produced_at ${types.timestamp} not null,
        received_at ${types.timestamp} not null,
        fact_values ${types.json} not null
      )`,
    ],
  },
];

export interface OldFacts {
  readonly facts: FactSet;
  readonly environment: string;
  readonly producedAt: Date;
}

/** Facts by certname, those behind `after`. */
export async function readOldFacts(
  database: Database,
  after: string,
  limit: number,
): Promise<readonly OldFacts[]> {
  const rows = await database.read(
    sql`select certname, environment, produced_at, fact_values from facts where certname > ${after}
      order by certname limit ${limit}`,
  );
  return rows.map((row) => {
    const exactValues = String(row['fact_values']);
    const producedAt = decodeTimestamp(row['produced_at']);
    const facts = {
      certname: String(row['certname']),
      values: JSON.parse(exactValues),
      exactValues,
      producedAt,
      expiresAt: undefined,
    };
    return { facts, environment: String(row['environment']), producedAt };
  });
}
