/** Queries as clients send them: JSON in prefix form. */

import type { Json } from '../../../lib/json.ts';

export type { Json };

/** An operator and its arguments. */
export type Clause = readonly Json[];

export function isClause(value: unknown): value is Clause {
  return Array.isArray(value);
}

/** A value in the text of an error, as the reference prints it. */
export function printed(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What a value names: nothing when it is a list or a map, which may be long and is looked at once for each level of a query. */
export function nameIn(value: Json | undefined): string {
  return typeof value === 'object' ? '' : printed(value);
}

/** Real queries have not a tenth of it; SQLite refuses twice as much, and the SQL of a query may take the cube of it. */
const mostLevels = 500;

/** Whether a value is nested beyond what is taken to be a query. */
export function isTooDeep(value: Json): boolean {
  let level: readonly Json[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > mostLevels) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}
