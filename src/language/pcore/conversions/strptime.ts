/** Ruby's `DateTime._strptime`, as far as times can be written. */

export interface ParsedTime {
  year?: number;
  month?: number;
  day?: number;
  dayOfYear?: number;
  hour?: number;
  minute?: number;
  second?: number;
  /** Nanoseconds within the second. */
  fraction?: bigint;
  /** As written. */
  zone?: string;
  isAfternoon?: boolean;
  century?: number;
  /** From `%s` and `%Q`. */
  epochNanoseconds?: bigint;
}

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const DAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
const COMPOSED: Readonly<Record<string, string>> = {
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  v: '%e-%b-%Y',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
  r: '%I:%M:%S %p',
  R: '%H:%M',
  T: '%H:%M:%S',
  '+': '%a %b %e %H:%M:%S %Z %Y',
};
const ZONE =
  /^(?:(?:gmt|utc)?[-+]\d+(?:[,.:]\d+(?::\d+)?)?|(?:[a-z][a-z.\s]*(?:standard|daylight)\stime|[a-z]+)(?:\sdst)?)(?![a-z])/i;
interface State {
  readonly text: string;
  position: number;
  readonly time: ParsedTime;
}

/** @returns `undefined` when the text does not fit, or is longer than the format */
export function parseTime(text: string, format: string): ParsedTime | undefined {
  const state: State = { text, position: 0, time: {} };
  if (!parseFormat(state, format) || state.position < text.length) return undefined;
  return completed(state.time);
}

function completed(time: ParsedTime): ParsedTime {
  if (time.isAfternoon !== undefined && time.hour !== undefined) {
    time.hour = (time.hour % 12) + (time.isAfternoon ? 12 : 0);
  }
  if (time.century !== undefined && time.year !== undefined)
    time.year = time.century * 100 + (time.year % 100);
  return time;
}

function parseFormat(state: State, format: string): boolean {
  for (let index = 0; index < format.length; index += 1) {
    const character = format.charAt(index);
    if (/\s/.test(character)) skipSpaces(state);
    else if (character === '%' && index + 1 < format.length) {
      const directive = /^%(?:[EO]|:{1,3}|[-0^#_])*([a-zA-Z+%])/.exec(format.slice(index));
      if (directive === null) return false;
      index += directive[0].length - 1;
      const next = format.slice(index + 1);
      if (!parseDirective(state, directive[1] ?? '', isNumeric(next))) return false;
    } else if (state.text.charAt(state.position) === character) state.position += 1;
    else return false;
  }
  return true;
}

/** Whether the next thing in the format is a number: then a year has four digits only. */
function isNumeric(format: string): boolean {
  return /^(?:\d|%[-0^#_]*[EO]?[CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy\d])/.test(format);
}

function skipSpaces(state: State): void {
  while (/\s/.test(state.text.charAt(state.position))) state.position += 1;
}

function parseDirective(state: State, letter: string, isFollowedByNumber: boolean): boolean {
  const composed = COMPOSED[letter];
  if (composed !== undefined) return parseFormat(state, composed);
  const number = NUMBERS[letter];
  if (number !== undefined) return parseNumber(state, number);
  if (letter === 'Y') return parseYear(state, isFollowedByNumber);
  if (letter === 'N' || letter === 'L')
    return parseFraction(state, letter === 'L' ? 3 : 9, isFollowedByNumber);
  return parseWord(state, letter);
}

interface NumberRule {
  readonly digits: number;
  readonly min: number;
  readonly max: number;
  readonly set: (time: ParsedTime, value: number) => void;
}
const hourRule = (min: number, max: number): NumberRule => ({
  digits: 2,
  min,
  max,
  set: (time, value) => {
    time.hour = value;
  },
});
const dayRule: NumberRule = {
  digits: 2,
  min: 1,
  max: 31,
  set: (time, value) => {
    time.day = value;
  },
};
const ignored = (digits: number, min: number, max: number): NumberRule => ({
  digits,
  min,
  max,
  set: () => undefined,
});

const NUMBERS: Readonly<Record<string, NumberRule>> = {
  C: {
    digits: 2,
    min: 0,
    max: 99,
    set: (time, value) => {
      time.century = value;
    },
  },
  d: dayRule,
  e: dayRule,
  H: hourRule(0, 24),
  k: hourRule(0, 24),
  I: hourRule(1, 12),
  l: hourRule(1, 12),
  j: {
    digits: 3,
    min: 1,
    max: 366,
    set: (time, value) => {
      time.dayOfYear = value;
    },
  },
  M: {
    digits: 2,
    min: 0,
    max: 59,
    set: (time, value) => {
      time.minute = value;
    },
  },
  m: {
    digits: 2,
    min: 1,
    max: 12,
    set: (time, value) => {
      time.month = value;
    },
  },
  S: {
    digits: 2,
    min: 0,
    max: 60,
    set: (time, value) => {
      time.second = value;
    },
  },
  y: {
    digits: 2,
    min: 0,
    max: 99,
    set: (time, value) => {
      time.year = value + (value >= 69 ? 1900 : 2000);
    },
  },
  U: ignored(2, 0, 53),
  W: ignored(2, 0, 53),
  V: ignored(2, 1, 53),
  u: ignored(1, 1, 7),
  w: ignored(1, 0, 6),
  g: ignored(2, 0, 99),
  G: ignored(4, 0, 9999),
};

function parseNumber(state: State, rule: NumberRule): boolean {
  const found = new RegExp(`^ ?\\d{1,${rule.digits}}`).exec(state.text.slice(state.position));
  if (found === null) return false;
  const value = Number(found[0]);
  if (value < rule.min || value > rule.max) return false;
  state.position += found[0].length;
  rule.set(state.time, value);
  return true;
}

function parseYear(state: State, isFollowedByNumber: boolean): boolean {
  const found = (isFollowedByNumber ? /^[-+]?\d{1,4}/ : /^[-+]?\d+/).exec(state.text.slice(state.position));
  if (found === null) return false;
  state.position += found[0].length;
  state.time.year = Number(found[0]);
  return true;
}

function parseFraction(state: State, digits: number, isFollowedByNumber: boolean): boolean {
  const limit = isFollowedByNumber ? `{1,${digits}}` : '+';
  const found = new RegExp(`^[-+]?(\\d${limit})`).exec(state.text.slice(state.position));
  if (found === null) return false;
  state.position += found[0].length;
  state.time.fraction = BigInt((found[1] ?? '').padEnd(9, '0').slice(0, 9));
  return true;
}

function parseWord(state: State, letter: string): boolean {
  const rest = state.text.slice(state.position);
  const take = (found: RegExpExecArray | null, apply: (text: string) => void): boolean => {
    if (found === null) return false;
    state.position += found[0].length;
    apply(found[0]);
    return true;
  };
  switch (letter) {
    case 'A':
    case 'a':
      return take(namesPattern(DAYS).exec(rest), () => undefined);
    case 'B':
    case 'b':
    case 'h':
      return take(namesPattern(MONTHS).exec(rest), (text) => {
        state.time.month = MONTHS.findIndex((month) => month.startsWith(text.slice(0, 3).toLowerCase())) + 1;
      });
    case 'P':
    case 'p':
      return take(/^[ap](?:m\b|\.m\.)/i.exec(rest), (text) => {
        state.time.isAfternoon = /^p/i.test(text);
      });
    case 'Z':
    case 'z':
      return take(ZONE.exec(rest), (text) => {
        state.time.zone = text;
      });
    case 's':
    case 'Q':
      return take(/^-?\d+/.exec(rest), (text) => {
        state.time.epochNanoseconds = BigInt(text) * (letter === 's' ? 1_000_000_000n : 1_000_000n);
      });
    case 'n':
    case 't':
      skipSpaces(state);
      return true;
    default:
      return letter === '%' && take(/^%/.exec(rest), () => undefined);
  }
}

function namesPattern(names: readonly string[]): RegExp {
  return new RegExp(`^(?:${names.map((name) => `${name}|${name.slice(0, 3)}`).join('|')})`, 'i');
}
