/** The last facts of each node. */

import {
  type Database,
  decodeTimestamp,
  encodeTimestamp,
  type Migration,
  type Row,
  sql,
} from '../../platform/storage/index.ts';
import type { FactSink } from './termini.ts';
import type { FactSet, Json } from './wire.ts';

export const factMigrations: readonly Migration[] = [
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

export interface StoredFacts {
  readonly certname: string;
  readonly environment: string;
  /** When the agent collected them; when they arrived, if it did not say. */
  readonly producedAt: Date;
  readonly receivedAt: Date;
  readonly values: Readonly<Record<string, Json>>;
  /** The values as JSON, numbers in the form in which the agent sent them. */
  readonly exactValues: string;
}

/** A node of which there are facts. */
export type FactNode = Omit<StoredFacts, 'values' | 'exactValues'>;

export class FactStore implements FactSink {
  readonly #database: Database;
  readonly #now: () => Date;

  constructor(database: Database, now: () => Date) {
    this.#database = database;
    this.#now = now;
  }

  async save(facts: FactSet, environment: string): Promise<void> {
    const receivedAt = this.#now();
    const [produced, received] = [facts.producedAt ?? receivedAt, receivedAt].map(encodeTimestamp);
    const values = facts.exactValues ?? JSON.stringify(facts.values);
    await this.#database.write([
      sql`insert into facts (certname, environment, produced_at, received_at, fact_values)
        values (${facts.certname}, ${environment}, ${produced ?? ''}, ${received ?? ''}, ${values})
        on conflict (certname) do update set environment = excluded.environment,
          produced_at = excluded.produced_at, received_at = excluded.received_at,
          fact_values = excluded.fact_values`,
    ]);
  }

  async find(certname: string): Promise<StoredFacts | undefined> {
    const [row] = await this.#database.read(
      sql`select certname, environment, produced_at, received_at, fact_values from facts
        where certname = ${certname}`,
    );
    if (row === undefined) return undefined;
    const exactValues = String(row['fact_values']);
    return { ...decodeNode(row), values: JSON.parse(exactValues), exactValues };
  }

  /** Sorted by certname. */
  async nodes(): Promise<readonly FactNode[]> {
    const rows = await this.#database.read(
      sql`select certname, environment, produced_at, received_at from facts order by certname`,
    );
    return rows.map(decodeNode);
  }
}

function decodeNode(row: Row): FactNode {
  return {
    certname: String(row['certname']),
    environment: String(row['environment']),
    producedAt: decodeTimestamp(row['produced_at']),
    receivedAt: decodeTimestamp(row['received_at']),
  };
}
