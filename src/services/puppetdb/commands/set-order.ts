/** The order in which the reference's runtime goes through a set of texts: its digests of catalogs are made in it. */

import { compareInTrie, textHash } from '../trie-order.ts';

/**
 * Compares by where texts are in a set.
 *
 * One for each piece of work: it remembers the hashes of texts.
 */
export function setOrder(): (a: string, b: string) => number {
  const known = new Map<string, number>();
  const hashOf = (text: string): number => {
    const hash = known.get(text) ?? textHash(text);
    known.set(text, hash);
    return hash;
  };
  return (a, b) => compareInTrie(hashOf(a), hashOf(b));
}
