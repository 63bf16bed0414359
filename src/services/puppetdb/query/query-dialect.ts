/** The dialect of a database. */

import type { Database } from '../../../platform/storage/index.ts';
import type { QueryDialect } from './dialect.ts';
import { postgresQueryDialect } from './postgres-query-dialect.ts';
import { sqliteQueryDialect } from './sqlite-query-dialect.ts';

export function queryDialectOf({ dialect }: Pick<Database, 'dialect'>): QueryDialect {
  return dialect.name === 'sqlite' ? sqliteQueryDialect() : postgresQueryDialect();
}
