/** Ruby's `Time#strftime`. */

import { floorDivide, NANOSECONDS_PER_SECOND } from '../values/time-value.ts';

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const FIELD = /%([-0^#_:]*)(\d*)(?:[EO](?=[a-zA-Z]))?([a-zA-Z%])/g;
const COMPOSED: Readonly<Record<string, string>> = {
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  v: '%e-%^b-%Y',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
  r: '%I:%M:%S %p',
  R: '%H:%M',
  T: '%H:%M:%S',
};

/** The calendar repeats itself, days of the week included, after so many seconds. */
const SECONDS_IN_400_YEARS = 12_622_780_800n;

interface Moment {
  /** Between 1970 and 2370, where all fields but the year are as they are. */
  readonly date: Date;
  /** How many years the date is ahead of that. */
  readonly yearsAhead: bigint;
  readonly seconds: bigint;
  /** Nanoseconds within the second. */
  readonly fraction: bigint;
  readonly offsetSeconds: number;
}

/**
 * @param nanoseconds - since the epoch
 * @param offsetSeconds - east of UTC
 */
export function formatTime(format: string, nanoseconds: bigint, offsetSeconds: number): string {
  const seconds = floorDivide(nanoseconds, NANOSECONDS_PER_SECOND);
  const local = seconds + BigInt(offsetSeconds);
  const cycles = floorDivide(local, SECONDS_IN_400_YEARS);
  const moment: Moment = {
    date: new Date(Number(local - cycles * SECONDS_IN_400_YEARS) * 1000),
    yearsAhead: cycles * 400n,
    seconds,
    fraction: nanoseconds - seconds * NANOSECONDS_PER_SECOND,
    offsetSeconds,
  };
  return formatMoment(format, moment);
}

function formatMoment(format: string, moment: Moment): string {
  return format.replace(FIELD, (whole, flags: string, width: string, letter: string) => {
    const directive: Directive = { letter, flags, width: width === '' ? undefined : Number(width) };
    return formatField(directive, moment) ?? whole;
  });
}

/** One `%-10d` of a format. */
interface Directive {
  readonly letter: string;
  readonly flags: string;
  readonly width: number | undefined;
}

/** @returns `undefined` for a letter without a meaning */
function formatField({ flags, letter, width }: Directive, moment: Moment): string | undefined {
  const composed = COMPOSED[letter];
  if (composed !== undefined) return padText(formatMoment(composed, moment), flags, width);
  if (letter === 'z') return formatOffset(moment.offsetSeconds, flags, width);
  if (letter === 'N' || letter === 'L') {
    return moment.fraction
      .toString()
      .padStart(9, '0')
      .padEnd(width ?? 0, '0')
      .slice(0, width ?? (letter === 'L' ? 3 : 9));
  }
  const number = numericField(letter, moment);
  if (number !== undefined) return padNumber(number, flags, width);
  const text = textField(letter, moment, flags);
  return text === undefined ? undefined : padText(text, flags, width);
}

interface NumberField {
  readonly value: bigint | number;
  readonly width: number;
  readonly pad?: ' ';
}

function numericField(letter: string, moment: Moment): NumberField | undefined {
  const { date } = moment;
  const hour = date.getUTCHours();
  const year = BigInt(date.getUTCFullYear()) + moment.yearsAhead;
  switch (letter) {
    case 'Y':
      return { value: year, width: year < 0n ? 5 : 4 };
    case 'C':
      return { value: floorDivide(year, 100n), width: 2 };
    case 'y':
      return { value: modulo(year, 100n), width: 2 };
    case 'm':
      return { value: date.getUTCMonth() + 1, width: 2 };
    case 'd':
      return { value: date.getUTCDate(), width: 2 };
    case 'e':
      return { value: date.getUTCDate(), width: 2, pad: ' ' };
    case 'j':
      return { value: dayOfYear(date), width: 3 };
    case 'H':
      return { value: hour, width: 2 };
    case 'k':
      return { value: hour, width: 2, pad: ' ' };
    case 'I':
      return { value: hour % 12 || 12, width: 2 };
    case 'l':
      return { value: hour % 12 || 12, width: 2, pad: ' ' };
    case 'M':
      return { value: date.getUTCMinutes(), width: 2 };
    case 'S':
      return { value: date.getUTCSeconds(), width: 2 };
    case 's':
      return { value: moment.seconds, width: 1 };
    default:
      return weekField(letter, moment);
  }
}

function weekField(letter: string, { date, yearsAhead }: Moment): NumberField | undefined {
  const day = date.getUTCDay();
  switch (letter) {
    case 'u':
      return { value: day || 7, width: 1 };
    case 'w':
      return { value: day, width: 1 };
    case 'U':
      return { value: Math.floor((dayOfYear(date) + 6 - day) / 7), width: 2 };
    case 'W':
      return { value: Math.floor((dayOfYear(date) + 6 - ((day + 6) % 7)) / 7), width: 2 };
    case 'V':
      return { value: isoWeek(date).week, width: 2 };
    case 'G':
      return { value: BigInt(isoWeek(date).year) + yearsAhead, width: 4 };
    case 'g':
      return { value: modulo(BigInt(isoWeek(date).year), 100n), width: 2 };
    default:
      return undefined;
  }
}

function textField(letter: string, moment: Moment, flags: string): string | undefined {
  const { date } = moment;
  const month = MONTHS[date.getUTCMonth()] ?? '';
  const day = DAYS[date.getUTCDay()] ?? '';
  const half = date.getUTCHours() < 12 ? 'AM' : 'PM';
  switch (letter) {
    case 'B':
      return withCase(month, flags);
    case 'b':
    case 'h':
      return withCase(month.slice(0, 3), flags);
    case 'A':
      return withCase(day, flags);
    case 'a':
      return withCase(day.slice(0, 3), flags);
    case 'p':
      return flags.includes('#') ? half.toLowerCase() : half;
    case 'P':
      return flags.includes('^') ? half : half.toLowerCase();
    case 'Z':
      return moment.offsetSeconds === 0 ? (flags.includes('#') ? 'utc' : 'UTC') : '';
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case '%':
      return '%';
    default:
      return undefined;
  }
}

function withCase(text: string, flags: string): string {
  return flags.includes('^') || flags.includes('#') ? text.toUpperCase() : text;
}

function padText(text: string, flags: string, width: number | undefined): string {
  return flags.includes('-') ? text : text.padStart(width ?? 0, flags.includes('0') ? '0' : ' ');
}

function padNumber(field: NumberField, flags: string, width: number | undefined): string {
  const isNegative = field.value < 0;
  const digits = String(field.value).replace('-', '');
  if (flags.includes('-')) return (isNegative ? '-' : '') + digits;
  const last = flags.replace(/[^0_]/g, '').at(-1);
  const pad = last === undefined ? (field.pad ?? '0') : last === '_' ? ' ' : '0';
  const size = width ?? field.width;
  if (pad === ' ') return ((isNegative ? '-' : '') + digits).padStart(size, ' ');
  return (isNegative ? '-' : '') + digits.padStart(size - (isNegative ? 1 : 0), '0');
}

function formatOffset(offsetSeconds: number, flags: string, width: number | undefined): string {
  const total = Math.abs(offsetSeconds);
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  const colons = flags.split(':').length - 1;
  const rest = [`${two(minutes)}`, `:${two(minutes)}`, `:${two(minutes)}:${two(seconds)}`][colons] ?? '';
  const sign = offsetSeconds < 0 ? '-' : '+';
  const size = (width ?? 0) - rest.length;
  if (flags.includes('_')) return `${sign}${hours}`.padStart(Math.max(size, 3), ' ') + rest;
  const digits = flags.includes('-') ? String(hours) : two(hours);
  return sign + digits.padStart(size - 1, '0') + rest;
}

function dayOfYear(date: Date): number {
  const start = Date.UTC(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - start) / 86_400_000) + 1;
}

function isoWeek(date: Date): { readonly year: number; readonly week: number } {
  // The Thursday of a week decides which year the week belongs to.
  const thursday = new Date(date.getTime());
  thursday.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7));
  return { year: thursday.getUTCFullYear(), week: Math.ceil(dayOfYear(thursday) / 7) };
}

function modulo(a: bigint, b: bigint): bigint {
  return ((a % b) + b) % b;
}
