/**
 * JSON whose numbers keep their text: `4096.0` is a Float to Puppet and 4096 to JavaScript, and integers beyond 2^53
 * lose digits there. `JSON.stringify` writes such a number as the text that it was made of.
 */

export interface RawNumber {
  readonly rawJSON: string;
}

// TypeScript does not know these functions of ECMAScript 2025 yet.
interface RawJson {
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): boolean;
}

/** @throws SyntaxError unless it is a number, string, boolean or null in JSON */
export function rawNumber(text: string): RawNumber {
  return (JSON as unknown as RawJson).rawJSON(text);
}

export function isRawNumber(value: unknown): value is RawNumber {
  return (JSON as unknown as RawJson).isRawJSON(value);
}

/** A number that may be written differently: trailing zeros, an exponent, many digits. Text in quotes rarely looks so. */
const fragile = String.raw`-?(?:\d+\.\d*0(?!\d)|\d[\d.]*[eE][+-]?\d|[\d.]{16}|0\.0{6})|-0(?![\d.])`;
const fragileNumber = new RegExp(String.raw`[:,[]\s*(?:${fragile})`);
/** What stands before it, and the number. */
const fragileNumbers = new RegExp(
  String.raw`([:,[]\s*)(?=${fragile})(-?[\d.]+(?:[eE][+-]?\d+)?)(?=\s*[,\]}])`,
  'g',
);

/** Whether a list or an object in JSON may hold numbers that JavaScript would not keep: mostly none do, and parsing is fast. */
export function hasFragileNumbers(text: string): boolean {
  return fragileNumber.test(text);
}

/** For `JSON.parse`: makes every number a `RawNumber`. */
export function keepNumber(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' && context?.source !== undefined ? rawNumber(context.source) : value;
}

/**
 * Parses a list or an object in JSON, keeping as `RawNumber` each number whose form would be lost.
 *
 * @throws SyntaxError
 */
export function parseExact(text: string): unknown {
  return parseFragile(text, (source) => {
    const value = Number(source);
    return String(value) === source ? value : rawNumber(source);
  });
}

/** Stands for a number while the text is parsed: half a character, which no text in UTF-8 has. */
const mark = '\ud800';
const hasMark = /\ud800|\\ud800/i;

/**
 * Parses a list or an object in JSON.
 *
 * To have all numbers shown by `JSON.parse` takes five times as long as parsing. So those that are fragile are made texts
 * before, and numbers afterwards.
 *
 * @param make - gives what stands for a number that may be fragile
 * @throws SyntaxError
 */
export function parseFragile(text: string, make: (source: string) => unknown): unknown {
  if (!hasFragileNumbers(text)) return JSON.parse(text);
  if (hasMark.test(text)) return parseSlowly(text, make);
  const sources: string[] = [];
  const marked = text.replace(
    fragileNumbers,
    (_all, before: string, source: string) => `${before}"${mark}${sources.push(source) - 1}"`,
  );
  try {
    return withNumbers(JSON.parse(marked), (index) => make(sources[index] ?? ''));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // What looked like a number stood within a text, which the quotes ended.
    return parseSlowly(text, make);
  }
}

function withNumbers(value: unknown, numberAt: (index: number) => unknown): unknown {
  if (typeof value === 'string') return value.startsWith(mark) ? numberAt(Number(value.slice(1))) : value;
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  for (const key of Object.keys(members)) {
    const member = members[key];
    const made = withNumbers(member, numberAt);
    if (made !== member) members[key] = made;
  }
  return value;
}

function parseSlowly(text: string, make: (source: string) => unknown): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && context?.source !== undefined ? make(context.source) : value,
  );
}
