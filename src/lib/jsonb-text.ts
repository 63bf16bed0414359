/** The order in which PostgreSQL's `jsonb` keeps keys, and so prints them: by length in bytes, then by bytes. */

import { type KeyOrder, orderedJson } from './ordered-json.ts';
import { reorderedJson } from './reordered-json.ts';

/** Behind them, code units and UTF-8 disagree about lengths and order. */
const notAscii = /[^\0-\x7f]/;

export const jsonbOrder: KeyOrder = (keys) => {
  if (keys.length < 2) return keys;
  return keys.sort(keys.some((key) => notAscii.test(key)) ? byBytes : byUnits);
};

function byUnits(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : 1;
}

function byBytes(a: string, b: string): number {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length - right.length || Buffer.compare(left, right);
}

/** The value as JSON. @param value - numbers may be of `parseExact` */
export function jsonbText(value: unknown): string {
  return orderedJson(value, jsonbOrder);
}

/**
 * The same JSON. Values are not read: what stands between two keys is moved as it is, whatever the form of its numbers.
 *
 * @param json - valid
 * @throws SyntaxError when it ends too early
 */
export function inJsonbOrder(json: string): string {
  return reorderedJson(json, { order: jsonbOrder, leastKeys: 2 });
}
