/** JSON in one form: sorted keys, no space, numbers as they came. Digests are made of it. */

import { hash } from 'node:crypto';
import { orderedJson } from '../../lib/ordered-json.ts';

/** The value as JSON with sorted keys. */
export function canonicalJson(value: unknown): string {
  return orderedJson(value, sortedKeys);
}

/** The default order is by UTF-16 code unit, as the reference sorts. */
export function sortedKeys(keys: string[]): string[] {
  return keys.sort();
}

/** By UTF-16 code unit, as the reference sorts. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The digest that identifies a piece of data: SHA-1, as in the reference. */
export function identityHash(canonical: string): string {
  return hash('sha1', canonical);
}
