/** Arrays without repetition. */

import { isInteger, keyOf, type Value } from '../pcore/index.ts';

/** Ruby's `uniq`: the first of equal values stays. */
export function unique(list: readonly Value[]): readonly Value[] {
  const seen = new Set<unknown>();
  return list.filter((item) => {
    const identity = typeof item === 'string' || isInteger(item) ? item : `\0${keyOf(item)}`;
    if (seen.has(identity)) return false;
    seen.add(identity);
    return true;
  });
}
