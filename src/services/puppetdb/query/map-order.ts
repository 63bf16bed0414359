/**
 * The order of keys in what the reference answers after it has read it itself.
 *
 * A Clojure map keeps the order in which keys came as long as it is small; a larger one is a trie of their hashes. Keys of
 * rows and facts are keywords, whose hashes are others than those of texts.
 */

import { jsonbOrder } from '../../../lib/jsonb-text.ts';
import { type KeyOrder, orderedJson, quoted } from '../../../lib/ordered-json.ts';
import { isRawNumber, parseExact } from '../../../lib/raw-json.ts';
import { sortedKeys } from '../canonical-json.ts';
import { compareInTrie, type KeyHash, keywordHash, textHash } from '../trie-order.ts';

/** Keys of a map that keeps its order, at most. */
const smallMap = 8;

/** The fields of a row. */
export function rowOrder(names: readonly string[]): readonly string[] {
  return names.length > smallMap ? byHash(names, keywordHash) : names;
}

/** A value of a fact: it came as jsonb. */
export function factValueInOrder(json: string): string {
  return inOrder(json, mapOrder(keywordHash, jsonbOrder));
}

/** A value of an event: it came as text with sorted keys. */
export function eventValueInOrder(json: string): string {
  return inOrder(json, mapOrder(textHash, sortedKeys));
}

/** A whole catalog, which is read as one. */
export function catalogInOrder(json: string): string {
  return largeInOrder(json, keywordHash);
}

/** A whole set of facts, whose values keep their texts as keys; the row itself has few. */
export function factsetInOrder(json: string): string {
  return largeInOrder(json, textHash);
}

function inOrder(json: string, order: KeyOrder): string {
  return json.includes('{') ? orderedJson(parseExact(json), order) : json;
}

/** As `inOrder`, of long texts in which few hashes are large: what is around those is written by the engine. */
function largeInOrder(json: string, hash: KeyHash): string {
  const order = mapOrder(hash, asCame);
  return mostlyAsCame(parseExact(json), order);
}

function mostlyAsCame(value: unknown, order: KeyOrder): string {
  if (!isMoved(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => mostlyAsCame(item, order)).join(',')}]`;
  const members = value as Readonly<Record<string, unknown>>;
  const texts = order(Object.keys(members)).map(
    (key) => `${quoted(key)}:${mostlyAsCame(members[key], order)}`,
  );
  return `{${texts.join(',')}}`;
}

/** Whether a hash in it may have to be put in order. */
function isMoved(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(isMoved);
  let count = 0;
  for (const key in value) {
    count++;
    if (count > smallMap || (count === 1 && isDigit(key.charCodeAt(0)))) return !isRawNumber(value);
    if (isMoved((value as Readonly<Record<string, unknown>>)[key])) return true;
  }
  return false;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function mapOrder(hash: KeyHash, small: KeyOrder): KeyOrder {
  return (keys) => (keys.length > smallMap ? byHash(keys, hash) : small(keys));
}

/** JavaScript has keys that look like numbers first: none of a row does, and what else there is was jsonb. */
function asCame(keys: string[]): string[] {
  return /^\d/.test(keys[0] ?? '') ? jsonbOrder(keys) : keys;
}

function byHash(keys: readonly string[], hash: KeyHash): string[] {
  const placed = keys.map((key) => ({ key, hash: hash(key) }));
  return placed.sort((a, b) => compareInTrie(a.hash, b.hash)).map(({ key }) => key);
}
