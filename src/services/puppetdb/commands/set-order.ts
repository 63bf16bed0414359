/** The order in which the reference's runtime goes through a set of texts: its digests of catalogs are made in it. */

/**
 * Compares by what decides where a text is in Clojure's hash tries: five bits of its hash for each level, the lowest first.
 *
 * One for each piece of work: it remembers the hashes of texts.
 */
export function setOrder(): (a: string, b: string) => number {
  const known = new Map<string, number>();
  const hashOf = (text: string): number => {
    const hash = known.get(text) ?? trieHash(text);
    known.set(text, hash);
    return hash;
  };
  return (a, b) => {
    const [x, y] = [hashOf(a), hashOf(b)];
    for (let shift = 0; shift < 32; shift += 5) {
      const difference = ((x >>> shift) & 31) - ((y >>> shift) & 31);
      if (difference !== 0) return difference;
    }
    return 0;
  };
}

/** Murmur3 of Java's hash of the text, as `clojure.lang.Util/hasheq`. */
function trieHash(text: string): number {
  let java = 0;
  for (let index = 0; index < text.length; index++) java = (Math.imul(java, 31) + text.charCodeAt(index)) | 0;
  return java === 0 ? 0 : murmur3(java);
}

function murmur3(value: number): number {
  const mixed = Math.imul(rotated(Math.imul(value, 0xcc9e2d51), 15), 0x1b873593);
  // The last step of the round, then the length in bytes.
  let hash = (Math.imul(rotated(mixed, 13), 5) + 0xe6546b64) ^ 4;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) | 0;
}

function rotated(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
