/** Whether JSON contains other JSON, as PostgreSQL's `@>` says of `jsonb`. */

/**
 * Hashes contain those of which they have all keys with values that they contain, lists those whose elements are all in them, in any
 * order; anything else contains what equals it.
 */
export function containsJson(whole: unknown, part: unknown): boolean {
  if (Array.isArray(part)) {
    return Array.isArray(whole) && part.every((wanted) => whole.some((each) => containsJson(each, wanted)));
  }
  if (typeof part !== 'object' || part === null) return whole === part;
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return false;
  const members = new Map<string, unknown>(Object.entries(whole));
  return Object.entries(part).every(
    ([key, value]) => members.has(key) && containsJson(members.get(key), value),
  );
}
