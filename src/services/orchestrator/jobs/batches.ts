/** A job in parts, one after the other: how large each part is, and how many failures end the job early. Pure. */

/** A number of nodes, or a percentage of all nodes of the job: `5`, `10%`. */
export type Share = number | string;

/**
 * Divides nodes into batches.
 *
 * @param sizes - of the first batch, the second, ...; the last one also of all that follow
 * @returns batches with at least one node each
 */
export function batchesOf(
  certnames: readonly string[],
  sizes: readonly Share[],
): readonly (readonly string[])[] {
  const batches: (readonly string[])[] = [];
  let taken = 0;
  while (taken < certnames.length) {
    const share = sizes[Math.min(batches.length, sizes.length - 1)] ?? '100%';
    // A percentage of few nodes may be less than one.
    const size = Math.max(1, nodesIn(share, certnames.length));
    batches.push(certnames.slice(taken, taken + size));
    taken += size;
  }
  return batches;
}

/** @returns whole nodes, rounded down: small batches and few failures are the careful side */
export function nodesIn(share: Share, total: number): number {
  return typeof share === 'number' ? share : Math.floor((total * Number(share.slice(0, -1))) / 100);
}
