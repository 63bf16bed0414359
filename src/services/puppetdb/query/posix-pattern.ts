/** PostgreSQL's regular expressions, in JavaScript's syntax. */

import { QueryError } from './query-error.ts';

/** Escapes that JavaScript does not have. */
const escapes: Readonly<Record<string, string>> = {
  m: '(?<!\\w)(?=\\w)',
  M: '(?<=\\w)(?!\\w)',
  y: '\\b',
  Y: '\\B',
  A: '^',
  Z: '$',
  a: '\\x07',
  e: '\\x1b',
};

const classes: Readonly<Record<string, string>> = {
  alpha: 'a-zA-Z',
  digit: '0-9',
  alnum: 'a-zA-Z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\s',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`{-~',
  xdigit: '0-9A-Fa-f',
  cntrl: '\\x00-\\x1f\\x7f',
  print: '\\x20-\\x7e',
  graph: '\\x21-\\x7e',
};

/**
 * Translates a pattern; the result is for flag `s` and no other.
 *
 * @throws QueryError in the database's words
 */
export function translatePosixPattern(pattern: string): string {
  const body = pattern.startsWith('***:') ? pattern.slice(4) : pattern;
  const translated = body.replace(
    /\\([mMyYAZae])|\[:(\w+):\]|\\./gs,
    (whole, escape: string | undefined, name: string | undefined, offset: number) =>
      (escape === undefined ? undefined : escapes[escape]) ??
      (name === undefined ? whole : (classNamed(name) ?? unknownClass(whole, body.slice(0, offset)))),
  );
  const { flags, rest } = embeddedOptions(translated);
  const source = flags === '' ? rest : `(?${flags}:${rest})`;
  try {
    void new RegExp(source, 's');
    return source;
  } catch (error) {
    throw invalid(reason(error));
  }
}

function classNamed(name: string): string | undefined {
  return Object.hasOwn(classes, name) ? classes[name] : undefined;
}

/** Within brackets it can only be meant as a class; elsewhere it is a list of characters itself. */
function unknownClass(text: string, before: string): string {
  if (/\[\^?$/.test(before)) throw invalid('invalid character class');
  return text;
}

function invalid(why: string): QueryError {
  return new QueryError(`ERROR: invalid regular expression: ${why}`);
}

/** `(?i)` is allowed at the start only. */
function embeddedOptions(pattern: string): { readonly flags: string; readonly rest: string } {
  const match = /^\(\?([a-z]+)\)/.exec(pattern);
  if (match === null) return { flags: '', rest: pattern };
  return { flags: match[1]?.includes('i') ? 'i' : '', rest: pattern.slice(match[0].length) };
}

function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (/group|parenthes|Unmatched '\)'/i.test(message)) {
    return /Invalid group/.test(message) ? 'quantifier operand invalid' : 'parentheses () not balanced';
  }
  if (/character class/i.test(message)) return 'brackets [] not balanced';
  if (/Nothing to repeat/i.test(message)) return 'quantifier operand invalid';
  if (/quantifier/i.test(message)) return 'invalid repetition count(s)';
  if (/out of order/i.test(message)) return 'invalid character range';
  if (/at end of pattern/i.test(message)) return 'invalid escape \\ sequence';
  return message;
}
