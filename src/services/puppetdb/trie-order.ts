/** The order in which the reference's runtime goes through sets and large maps: that of Clojure's tries of hashes. */

export type KeyHash = (key: string) => number;

/** A trie has five bits of a hash for each level, the lowest first. */
export function compareInTrie(a: number, b: number): number {
  for (let shift = 0; shift < 32; shift += 5) {
    const difference = ((a >>> shift) & 31) - ((b >>> shift) & 31);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Murmur3 of Java's hash of the text, as `clojure.lang.Util/hasheq`. */
export function textHash(text: string): number {
  let java = 0;
  for (let index = 0; index < text.length; index++) java = (Math.imul(java, 31) + text.charCodeAt(index)) | 0;
  return java === 0 ? 0 : finished(mixed(0, java), 4);
}

const goldenRatio = 0x9e3779b9;

/** A keyword's hash is made of its symbol's, which combines those of the name and of no namespace. */
export function keywordHash(name: string): number {
  const hash = unitsHash(name);
  return ((hash ^ (goldenRatio + (hash << 6) + (hash >> 2))) + goldenRatio) | 0;
}

/** Murmur3 of UTF-16 code units, two at a time. */
function unitsHash(text: string): number {
  let hash = 0;
  for (let index = 1; index < text.length; index += 2) {
    hash = mixed(hash, text.charCodeAt(index - 1) | (text.charCodeAt(index) << 16));
  }
  if (text.length % 2 === 1) hash ^= scrambled(text.charCodeAt(text.length - 1));
  return finished(hash, 2 * text.length);
}

function mixed(hash: number, block: number): number {
  return (Math.imul(rotated(hash ^ scrambled(block), 13), 5) + 0xe6546b64) | 0;
}

function scrambled(block: number): number {
  return Math.imul(rotated(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593);
}

function finished(hash: number, bytes: number): number {
  let value = hash ^ bytes;
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) | 0;
}

function rotated(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
