/** `String` and `Symbol`, as far as the definitions of types use them. What changes a string is not modelled. */

import type { ValueMethod } from './calls.ts';
import { REGEXP_IGNORE_CASE, RubyRegexp, textOf, type Value } from './values.ts';

type Text = string | symbol;

export const textMethods: Readonly<Record<string, ValueMethod<Text>>> = {
  to_s: (text) => textOf(text),
  to_str: (text) => textOf(text),
  to_sym: (text) => Symbol.for(textOf(text)),
  intern: (text) => Symbol.for(textOf(text)),
  to_f: (text) => {
    const digits = /^\s*\d+(\.\d+)?(?![\d_e])/i.exec(textOf(text));
    return digits === null ? undefined : Number(digits[0]);
  },
  dup: (text) => text,
  freeze: (text) => text,
  downcase: (text, { args }) => (args.length === 0 ? like(text, textOf(text).toLowerCase()) : undefined),
  upcase: (text, { args }) => (args.length === 0 ? like(text, textOf(text).toUpperCase()) : undefined),
  capitalize: (text, { args }) => {
    const plain = textOf(text);
    const result = plain.charAt(0).toUpperCase() + plain.slice(1).toLowerCase();
    return args.length === 0 ? like(text, result) : undefined;
  },
  strip: (text) => textOf(text).trim(),
  chomp: (text, { args: [suffix = '\n'] }) => {
    const plain = textOf(text);
    const end = textOf(suffix);
    if (end === '') return undefined;
    return plain.endsWith(end) ? plain.slice(0, -end.length) : plain;
  },
  tr: (text, { args: [from, to] }) =>
    typeof from === 'string' && typeof to === 'string' && from.length === 1 && to.length === 1
      ? textOf(text).replaceAll(from, () => to)
      : undefined,
  sub: (text, { args: [from, to] }) => substitute(textOf(text), from, to, false),
  gsub: (text, { args: [from, to] }) => substitute(textOf(text), from, to, true),
  split: (text, { args: [separator] }) =>
    typeof separator === 'string' && separator.length === 1 && separator !== ' '
      ? splitText(textOf(text), separator)
      : separator === undefined
        ? splitText(textOf(text).trim(), /\s+/)
        : undefined,
  '+': (text, { args: [other] }) =>
    typeof text === 'string' && typeof other === 'string' ? text + other : undefined,
  'empty?': (text) => textOf(text) === '',
  'start_with?': (text, { args }) =>
    args.every(isText) && args.some((arg) => textOf(text).startsWith(textOf(arg))),
  'end_with?': (text, { args }) =>
    args.every(isText) && args.some((arg) => textOf(text).endsWith(textOf(arg))),
  'include?': (text, { args: [part] }) =>
    typeof part === 'string' ? textOf(text).includes(part) : undefined,
  match: (text, { args: [pattern] }) => (isMatch(text, pattern) === false ? null : undefined),
  '=~': (text, { args: [pattern] }) => (isMatch(text, pattern) === false ? null : undefined),
  'match?': (text, { args: [pattern] }) => isMatch(text, pattern),
  'nil?': () => false,
};

function isText(value: Value): boolean {
  return typeof value === 'string';
}

function substitute(
  text: string,
  from: Value | undefined,
  to: Value | undefined,
  isGlobal: boolean,
): string | undefined {
  if (typeof to !== 'string' || to.includes('\\')) return undefined;
  const pattern = from instanceof RubyRegexp ? portablePattern(from, isGlobal) : from;
  if (pattern instanceof RegExp) return text.replace(pattern, () => to);
  if (typeof pattern !== 'string') return undefined;
  return isGlobal ? text.replaceAll(pattern, () => to) : text.replace(pattern, () => to);
}

function isMatch(text: Text, pattern: Value | undefined): boolean | undefined {
  return pattern instanceof RubyRegexp ? portablePattern(pattern, false)?.test(textOf(text)) : undefined;
}

/** Patterns made only of what means the same in both languages. */
function portablePattern({ source, options }: RubyRegexp, isGlobal: boolean): RegExp | undefined {
  if (!/^(?:[\w .*+?|/:@,-]|\\[()[\]{}.*+?|/-])*$/.test(source)) return undefined;
  if ((options & ~REGEXP_IGNORE_CASE) !== 0) return undefined;
  return new RegExp(source, `${isGlobal ? 'g' : ''}${options === 0 ? '' : 'i'}`);
}

/** Of a symbol comes a symbol. */
function like(text: Text, result: string): Text {
  return typeof text === 'symbol' ? Symbol.for(result) : result;
}

/** Without empty strings at the end, as Ruby does. */
function splitText(text: string, separator: string | RegExp): string[] {
  const parts = text.split(separator);
  while (parts.at(-1) === '') parts.pop();
  return parts;
}
