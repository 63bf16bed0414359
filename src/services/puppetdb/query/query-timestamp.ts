/** Times in queries: the reference tries one format after the other, most of ISO 8601 and some more. */

import { isClause, type Json, printed } from './ast.ts';
import { QueryError } from './query-error.ts';

const date = String.raw`(?<year>\d{4,})(?:-(?<month>\d{1,2})(?:-(?<day>\d{1,2}))?)?`;
const ordinal = String.raw`(?<year>\d{4,})-(?<ordinal>\d{3})`;
const week = String.raw`(?<year>\d{4,})-?W(?<week>\d{1,2})(?:-?(?<weekday>[1-7]))?`;
const zone = String.raw`(?<zone>Z|[+-]\d{2}(?::?\d{2})?)`;
const time = String.raw`(?<hour>\d{1,2})(?::(?<minute>\d{1,2})(?::(?<second>\d{1,2})(?:[.,](?<fraction>\d+))?)?)?`;

const formats = [
  String.raw`${date}(?:(?<=-\d+-\d+)T${time}${zone}?)?`,
  String.raw`(?<year>\d{1,3})`,
  String.raw`${ordinal}(?:T${time}${zone}?)?`,
  String.raw`${week}(?:T${time}${zone}?)?`,
  String.raw`(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)(?:T(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)(?:\.(?<fraction>\d+))?${zone})?`,
  String.raw`(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2}) (?<hour>\d{1,2}):(?<minute>\d{1,2}):(?<second>\d{1,2})`,
  String.raw`T?(?<hour>\d{1,2}):(?<minute>\d{1,2})(?::(?<second>\d{1,2})(?:[.,](?<fraction>\d+))?)?${zone}?`,
].map((format) => new RegExp(`^(?:${format})$`, 'i'));

/**
 * @returns fixed-width UTC text with milliseconds
 * @throws QueryError when the value is no time
 */
export function queryTimestamp(value: Json): string {
  if (typeof value === 'number' && Number.isInteger(value)) {
    const moment = new Date(value);
    if (!Number.isNaN(moment.getTime())) return moment.toISOString();
  }
  if (typeof value === 'string') {
    const found = findTimestamp(value);
    if (found !== undefined) return found;
  } else if (value !== null) {
    throw new QueryError(
      `No implementation of method: :to-date-time of protocol: #'clj-time.coerce/ICoerce found for class: ${classOf(value)}`,
    );
  }
  throw new QueryError(`'${value === null ? 'null' : printed(value)}' is not a valid timestamp value`);
}

/** @returns as `queryTimestamp`; `undefined` when the text is no time */
export function findTimestamp(text: string): string | undefined {
  return readMoment(text)?.toISOString();
}

/** As the reference's runtime names it. */
function classOf(value: Json): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'java.math.BigInteger' : 'java.lang.Double';
  if (typeof value === 'boolean') return 'java.lang.Boolean';
  return isClause(value) ? 'clojure.lang.PersistentVector' : 'clojure.lang.PersistentArrayMap';
}

function readMoment(text: string): Date | undefined {
  for (const format of formats) {
    const groups = format.exec(text)?.groups;
    const moment = groups === undefined ? undefined : momentOf(groups);
    if (moment !== undefined) return moment;
  }
  return undefined;
}

type Groups = Readonly<Record<string, string | undefined>>;

/** @returns `undefined` for a day or an hour that there is not */
function momentOf(groups: Groups): Date | undefined {
  const day = dayOf(groups);
  const [hour, minute, second] = ['hour', 'minute', 'second'].map((name) => Number(groups[name] ?? 0));
  if (day === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const milliseconds = Number((groups['fraction'] ?? '').padEnd(3, '0').slice(0, 3));
  const seconds = (Number(hour) * 60 + Number(minute) - offsetMinutes(groups['zone'])) * 60 + Number(second);
  const moment = new Date(day + seconds * 1000 + milliseconds);
  // Later years are written with a sign and more digits, which no column holds.
  return moment.getUTCFullYear() <= 9999 ? moment : undefined;
}

const dayMs = 86_400_000;

/** In milliseconds since 1970. */
function dayOf({
  year,
  month = '1',
  day = '1',
  ordinal: nth,
  week: weekNumber,
  weekday = '1',
}: Groups): number | undefined {
  if (year === undefined) return 0;
  if (nth !== undefined)
    return Number(nth) < 1 || Number(nth) > 366 ? undefined : utc(Number(year), 0, Number(nth));
  if (weekNumber !== undefined) {
    // The fourth of January is in the first week.
    const fourth = utc(Number(year), 0, 4);
    const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * dayMs;
    return monday + ((Number(weekNumber) - 1) * 7 + Number(weekday) - 1) * dayMs;
  }
  const found = utc(Number(year), Number(month) - 1, Number(day));
  const isReal =
    new Date(found).getUTCMonth() === Number(month) - 1 && new Date(found).getUTCDate() === Number(day);
  return isReal ? found : undefined;
}

/** As `Date.UTC`, which takes years below 100 for others. Databases know no year zero. */
function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(Math.max(year, 1), month, day);
}

function offsetMinutes(zone: string | undefined): number {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const digits = zone.slice(1).replace(':', '');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2) || 0);
  return zone.startsWith('-') ? -minutes : minutes;
}
