/** Times as clients write them. */

const pattern =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2})(?::(\d{2}))?(?::(\d{2})(?:[.,](\d+))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** What servers send, on days that every month has: nothing has to be computed. */
const usual =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}\d*(?:Z|[+-]00:00)$/;

/**
 * Reads ISO 8601 and what is close to it: a space for the `T`, a date alone; without a zone it is UTC.
 *
 * @returns fixed-width UTC text with milliseconds, `undefined` when the text is no time
 */
export function readTimestamp(text: string): string | undefined {
  if (usual.test(text)) return `${text.slice(0, 23)}Z`;
  const match = pattern.exec(text.trim());
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  const milliseconds = Number((fraction ?? '').padEnd(3, '0').slice(0, 3));
  const utc = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second ?? 0),
    milliseconds,
  );
  const time = new Date(utc - offsetMinutes(zone) * 60_000);
  const isReal = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;
  return isReal && !Number.isNaN(time.getTime()) ? time.toISOString() : undefined;
}

function offsetMinutes(zone: string | undefined): number {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const digits = zone.slice(1).replace(':', '');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2) || 0);
  return zone.startsWith('-') ? -minutes : minutes;
}
