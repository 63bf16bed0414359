/** Brings the schema up to date: numbered steps, forward only, each in one transaction. */

import { createHash } from 'node:crypto';
import { ServiceError } from '../../lib/service-error.ts';
import type { Database } from './database.ts';
import type { Dialect } from './dialect.ts';
import { fixedSql, sql } from './statement.ts';

export interface Migration {
  /** The service that owns the tables; each counts its own migrations. */
  readonly component: string;
  /** From 1, without gaps. */
  readonly number: number;
  readonly name: string;
  /** The statements, which are frozen once released: a digest of them is kept and compared. */
  readonly statements: (dialect: Dialect) => readonly string[];
}

/**
 * Applies what the database does not have yet, in the given order.
 *
 * A database that has more than this program knows is left as it is: the previous release keeps working on
 * the new schema.
 *
 * @returns the migrations that were applied
 * @throws Error when a migration was changed after it had been applied, or numbers are missing
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  assertNumbered(migrations);
  const known = await ensureTable(database);
  const missing: Migration[] = [];
  for (const migration of migrations) {
    const digest = known.get(keyOf(migration));
    if (digest === undefined) missing.push(migration);
    else if (digest !== digestOf(migration, database.dialect)) {
      throw new Error(
        `migration ${keyOf(migration)} (${migration.name}) was changed after it had been applied`,
      );
    }
  }
  const applied: Migration[] = [];
  for (const migration of missing) if (await apply(database, migration)) applied.push(migration);
  return applied;
}

/** Two programs that make the table at once are in each other's way on PostgreSQL: one fails, and the table is there. */
async function ensureTable(database: Database): Promise<ReadonlyMap<string, string>> {
  const creation = fixedSql(
    'create table if not exists schema_migrations (component text not null, number integer not null, ' +
      'name text not null, digest text not null, primary key (component, number))',
  );
  try {
    await database.write([creation]);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.reason !== 'conflict') throw error;
  }
  return await appliedDigests(database);
}

/** @returns false when another program, started at the same time, has applied it meanwhile */
async function apply(database: Database, migration: Migration): Promise<boolean> {
  const { component, number, name } = migration;
  const digest = digestOf(migration, database.dialect);
  try {
    await database.write([
      // First, so that of two programs only one goes on to the statements.
      sql`insert into schema_migrations (component, number, name, digest)
        values (${component}, ${number}, ${name}, ${digest})`,
      ...migration.statements(database.dialect).map(fixedSql),
    ]);
    return true;
  } catch (error) {
    if ((await appliedDigests(database)).get(keyOf(migration)) === digest) return false;
    throw error;
  }
}

async function appliedDigests(database: Database): Promise<ReadonlyMap<string, string>> {
  const rows = await database.read(sql`select component, number, digest from schema_migrations`);
  return new Map(rows.map((row) => [`${row['component']} ${row['number']}`, String(row['digest'])]));
}

function assertNumbered(migrations: readonly Migration[]): void {
  const last = new Map<string, number>();
  for (const { component, number } of migrations) {
    const expected = (last.get(component) ?? 0) + 1;
    if (number !== expected) throw new Error(`migration ${component} ${number}: expected number ${expected}`);
    last.set(component, number);
  }
}

function keyOf(migration: Migration): string {
  return `${migration.component} ${migration.number}`;
}

function digestOf(migration: Migration, dialect: Dialect): string {
  return createHash('sha256').update(migration.statements(dialect).join(';\n')).digest('hex');
}
