/** Reads columns as either database gives them. */

export function optional<T>(value: unknown, decode: (value: unknown) => T): T | undefined {
  return value === null || value === undefined ? undefined : decode(value);
}

/** Nothing else writes there. A database that knows JSON may give it decoded. */
export function decodeJson<T>(value: unknown): T {
  return (typeof value === 'string' ? JSON.parse(value) : value) as T;
}

/** SQLite has numbers for them. */
export function decodeBoolean(value: unknown): boolean {
  return value === true || value === 1;
}
