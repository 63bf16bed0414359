/** `If-Modified-Since`, as the CA endpoints understand it. */

/**
 * Whether a client that has a copy needs a new one.
 *
 * The reference compares with the file's time to the millisecond, so that a change within the second of the
 * client's copy is not missed; a date that cannot be read counts as none.
 *
 * @param since - the header
 */
export function isModifiedSince(modifiedAt: Date, since: string | undefined): boolean {
  const date = since === undefined ? Number.NaN : Date.parse(since);
  return Number.isNaN(date) || modifiedAt.getTime() > date;
}
