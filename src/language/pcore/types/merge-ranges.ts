interface Mergeable<T> {
  /** `undefined` where the two don't overlap. */
  merge(other: T): T | undefined;
}

/**
 * Makes one of ranges that overlap, as the reference does: the last takes in whatever it can, then the last of those that are
 * left.
 *
 * @returns in the order in which they were made
 */
export function mergeRanges<T extends Mergeable<T>>(ranges: readonly T[]): readonly T[] {
  const result: T[] = [];
  let rest = [...ranges];
  for (let last = rest.pop(); last !== undefined; last = rest.pop()) {
    let range = last;
    const unmerged: T[] = [];
    for (const other of rest) {
      const merged = range.merge(other);
      if (merged === undefined) unmerged.push(other);
      else range = merged;
    }
    result.push(range);
    rest = unmerged;
  }
  return result;
}
