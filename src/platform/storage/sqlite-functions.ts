/** SQL functions that SQLite lacks: regular expressions, the leaves of JSON, what it contains, and the order of its keys. */

import type { DatabaseSync } from 'node:sqlite';
import { containsJson } from '../../lib/json-contains.ts';
import { inJsonbOrder } from '../../lib/jsonb-text.ts';
import { PosixPattern } from '../../lib/posix-pattern/index.ts';

/** How many compiled patterns a connection keeps. */
const patternLimit = 100;

/**
 * Defines on a connection:
 *
 * - `regexp(pattern, text)`: 1 when the text matches somewhere, as PostgreSQL's `~` has it
 * - `json_leaves(key, json)`: the scalars in JSON, as an array of
 *   `{"path":[key,...],"value":...,"type":"string"}`
 * - `json_contains(whole, part)`: 1 when the one contains the other as PostgreSQL's `@>` says; NULL when one is NULL
 * - `in_jsonb_order(json)`: the same JSON with the keys of hashes as PostgreSQL's `jsonb` has them; NULL for NULL
 */
export function defineSqlFunctions(database: DatabaseSync): void {
  const patterns = new Map<string, PosixPattern>();
  database.function('regexp', { deterministic: true }, (pattern, text) => {
    if (text === null || pattern === null) return null;
    const known = patterns.get(String(pattern));
    if (known !== undefined) return known.test(String(text)) ? 1 : 0;
    if (patterns.size >= patternLimit) patterns.clear();
    const compiled = new PosixPattern(String(pattern));
    patterns.set(String(pattern), compiled);
    return compiled.test(String(text)) ? 1 : 0;
  });
  database.function('json_leaves', { deterministic: true }, (key, json) => {
    const leaves: string[] = [];
    collectLeaves(JSON.parse(String(json)), JSON.stringify(key), leaves);
    return `[${leaves.join(',')}]`;
  });
  database.function('json_contains', { deterministic: true }, (whole, part) => {
    if (whole === null || part === null) return null;
    return containsJson(JSON.parse(String(whole)), JSON.parse(String(part))) ? 1 : 0;
  });
  database.function('in_jsonb_order', { deterministic: true }, (json) =>
    json === null ? null : inJsonbOrder(String(json)),
  );
}

/** @param path - the keys so far as JSON, separated by commas */
function collectLeaves(value: unknown, path: string, leaves: string[]): void {
  if (Array.isArray(value)) {
    value.forEach((element, index) => collectLeaves(element, `${path},${index}`, leaves));
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      collectLeaves(member, `${path},${JSON.stringify(key)}`, leaves);
    }
  } else {
    leaves.push(`{"path":[${path}],"value":${JSON.stringify(value)},"type":"${leafType(value)}"}`);
  }
}

function leafType(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'float';
  return typeof value;
}
