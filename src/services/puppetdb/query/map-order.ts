/**
 * The order of keys in what the reference answers after it has read it itself.
 *
 * A Clojure map keeps the order in which keys came as long as it is small; a larger one is a trie of their hashes. Keys of
 * rows and facts are keywords, whose hashes are others than those of texts.
 */

import { jsonbOrder } from '../../../lib/jsonb-text.ts';
import type { KeyOrder } from '../../../lib/ordered-json.ts';
import { type Reordering, reorderedJson } from '../../../lib/reordered-json.ts';
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
  return reorderedJson(json, allInOrder(keywordHash, jsonbOrder));
}

/** A value of an event: it came as text with sorted keys. */
export function eventValueInOrder(json: string): string {
  return reorderedJson(json, allInOrder(textHash, sortedKeys));
}

/** A whole catalog, which is read as one. */
export function catalogInOrder(json: string): string {
  return reorderedJson(json, largeInOrder(keywordHash));
}

/** A whole set of facts, whose values keep their texts as keys; the row itself has few. */
export function factsetInOrder(json: string): string {
  return reorderedJson(json, largeInOrder(textHash));
}

function allInOrder(hash: KeyHash, small: KeyOrder): Reordering {
  return { order: (keys) => (keys.length > smallMap ? byHash(keys, hash) : small(keys)), leastKeys: 2 };
}

/** Small maps stay as they came. */
function largeInOrder(hash: KeyHash): Reordering {
  return { order: (keys) => byHash(keys, hash), leastKeys: smallMap + 1 };
}

function byHash(keys: readonly string[], hash: KeyHash): string[] {
  const placed = keys.map((key) => ({ key, hash: hash(key) }));
  return placed.sort((a, b) => compareInTrie(a.hash, b.hash)).map(({ key }) => key);
}
