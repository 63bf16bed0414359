/** Nodes sorted by certname: found, exchanged, added and removed. */

import type { NodeEntry } from './node-entry.ts';

export function byCertname(a: NodeEntry, b: NodeEntry): number {
  return a.certname < b.certname ? -1 : 1;
}

/** @returns where a node is, or would be */
export function placeOf(sorted: readonly NodeEntry[], certname: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle]?.certname ?? '') < certname) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @returns the existing entries of these names */
export function entriesOf(sorted: readonly NodeEntry[], names: readonly string[]): readonly NodeEntry[] {
  return names.flatMap((name) => {
    const entry = sorted[placeOf(sorted, name)];
    return entry?.certname === name ? [entry] : [];
  });
}

/** @param names - of the entries to replace; those without a new entry are removed */
export function replaced(
  sorted: readonly NodeEntry[],
  names: readonly string[],
  fresh: readonly NodeEntry[],
): readonly NodeEntry[] {
  if (names.length === 0) return sorted;
  const isExchange = fresh.length === names.length && entriesOf(sorted, names).length === names.length;
  if (!isExchange) return merged(sorted, new Set(names), fresh);
  const exchanged = sorted.slice();
  for (const entry of fresh) exchanged[placeOf(sorted, entry.certname)] = entry;
  return exchanged;
}

function merged(
  sorted: readonly NodeEntry[],
  names: ReadonlySet<string>,
  fresh: readonly NodeEntry[],
): readonly NodeEntry[] {
  const news = fresh.toSorted(byCertname);
  const all: NodeEntry[] = [];
  let next = 0;
  for (const entry of sorted) {
    if (names.has(entry.certname)) continue;
    for (let add = news[next]; add !== undefined && byCertname(add, entry) < 0; add = news[++next])
      all.push(add);
    all.push(entry);
  }
  return [...all, ...news.slice(next)];
}
