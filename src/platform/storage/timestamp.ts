/** Times in the database: text of one width in UTC, so that every database sorts it as time. */

/** `2026-11-21T09:20:33.760Z`, always 24 characters between the years 0 and 9999. */
export function encodeTimestamp(time: Date): string {
  return time.toISOString();
}

/** @throws RangeError when the text is no time: the database is damaged. */
export function decodeTimestamp(text: unknown): Date {
  const time = new Date(String(text));
  if (Number.isNaN(time.getTime())) throw new RangeError(`not a timestamp: ${String(text)}`);
  return time;
}
