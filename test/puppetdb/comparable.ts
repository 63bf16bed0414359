/** Answers in a form that compares: unordered parts are sorted. Keys have an order, which a printed hash shows. */

import { isDeepStrictEqual } from 'node:util';

/** Lists that the reference gives in any order. */
const unordered = new Set(['tags', 'data']);

export function comparable(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => comparable(item));
    return unordered.has(key) ? sorted(items) : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, comparable(member, name)] as const);
  return Object.fromEntries(members);
}

/** The rows of an answer, sorted. */
export function comparableRows(value: unknown): unknown {
  return Array.isArray(value) ? sorted(value.map((item) => comparable(item))) : comparable(value);
}

/** Whether both are written alike, to the order of keys. */
export function isWrittenAlike(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Whether everything of `part` is in `whole`, with its keys in the same order: lists may be longer there. */
export function isWithin(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part)) {
    return (
      Array.isArray(whole) &&
      part.length <= whole.length &&
      part.every((item) => whole.some((candidate) => isWithin(item, candidate)))
    );
  }
  if (typeof part !== 'object' || part === null) return isDeepStrictEqual(part, whole);
  if (typeof whole !== 'object' || whole === null) return false;
  const members = new Map(Object.entries(whole));
  const keys = Object.keys(part);
  const places = [...members.keys()].filter((key) => Object.hasOwn(part, key));
  if (!isDeepStrictEqual(keys, places)) return false;
  return Object.entries(part).every(([key, value]) => members.has(key) && isWithin(value, members.get(key)));
}

function sorted(items: readonly unknown[]): readonly unknown[] {
  const written = items.map((item) => ({ item, text: JSON.stringify(item) }));
  return written.sort((a, b) => (a.text < b.text ? -1 : 1)).map(({ item }) => item);
}
