/** Ruby's `String#scanf`. */

import { Float, integer, type Value } from '../../pcore/index.ts';

interface Conversion {
  /** Sticky. */
  readonly pattern: RegExp;
  /** White space in front is skipped, and does not count for the width. */
  readonly skipsSpace: boolean;
  /** How many characters may be taken. */
  readonly width: number;
  /** Absent for what is matched and thrown away. */
  readonly convert: ((text: string) => Value) | undefined;
}

const DIRECTIVE = /\s+|%%|%(\*?)([1-9][0-9]*)?(?:[hlL]?([diouxXaAeEfFgGsc])|\[(\^?\]?[^\]]*)\])|[\s\S]/gu;
const DECIMAL = /[-+]?[0-9]+/y;
const ANY_BASE = /[-+]?(?:0[xX][0-9a-fA-F]+|[0-9]+)/y;
const OCTAL = /[-+]?[0-7]+/y;
const HEXADECIMAL = /[-+]?(?:0[xX])?[0-9a-fA-F]+/y;
const FLOAT = /[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?/y;
const WORD = /\S+/y;
const ANYTHING = /[\s\S]+/y;

/**
 * Reads values out of a text by a format.
 *
 * @returns those that were found before the first mismatch or the end of the text
 */
export function scanText(text: string, format: string): readonly Value[] {
  const values: Value[] = [];
  let offset = 0;
  for (const directive of format.matchAll(DIRECTIVE)) {
    const conversion = conversionOf(directive);
    const start = conversion.skipsSpace ? afterSpace(text, offset) : offset;
    const found = matchAt(conversion, text, start);
    if (found === undefined) break;
    offset = start + found.length;
    if (conversion.convert !== undefined) values.push(conversion.convert(found));
  }
  return values;
}

function matchAt({ pattern, width }: Conversion, text: string, start: number): string | undefined {
  const window = width === Infinity ? text : text.slice(0, start + width);
  pattern.lastIndex = start;
  return pattern.exec(window)?.[0];
}

function afterSpace(text: string, offset: number): number {
  return offset + (/^\s*/.exec(text.slice(offset))?.[0].length ?? 0);
}

function conversionOf(directive: RegExpMatchArray): Conversion {
  const [whole = '', star = '', digits, letter, set] = directive;
  if (letter === undefined && set === undefined) return literal(whole);
  const width = digits === undefined ? Infinity : Number(digits);
  const conversion = set === undefined ? byLetter(letter ?? 's', width) : fromSet(set, width);
  return star === '*' ? { ...conversion, convert: undefined } : conversion;
}

function literal(text: string): Conversion {
  if (/^\s/.test(text)) return { pattern: /\s*/y, skipsSpace: false, width: Infinity, convert: undefined };
  const character = (text === '%%' ? '%' : text).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return {
    pattern: new RegExp(character, 'y'),
    skipsSpace: text === '%%',
    width: Infinity,
    convert: undefined,
  };
}

function byLetter(letter: string, width: number): Conversion {
  switch (letter) {
    case 'd':
    case 'u':
      return number(DECIMAL, width, 10);
    case 'i':
      return number(ANY_BASE, width, undefined);
    case 'o':
      return number(OCTAL, width, 8);
    case 'x':
    case 'X':
      return number(HEXADECIMAL, width, 16);
    case 's':
      return { pattern: WORD, skipsSpace: true, width, convert: (text) => text };
    case 'c':
      return {
        pattern: ANYTHING,
        skipsSpace: false,
        width: width === Infinity ? 1 : width,
        convert: (text) => text,
      };
    default:
      return { pattern: FLOAT, skipsSpace: true, width, convert: (text) => new Float(Number(text)) };
  }
}

function number(pattern: RegExp, width: number, base: number | undefined): Conversion {
  return { pattern, skipsSpace: true, width, convert: (text) => integerOf(text, base) };
}

function fromSet(set: string, width: number): Conversion {
  const body = set.replace(/[\\[\]]/g, '\\$&');
  return { pattern: new RegExp(`[${body}]+`, 'y'), skipsSpace: false, width, convert: (text) => text };
}

function integerOf(text: string, base: number | undefined): Value {
  const [, sign = '', digits = '0'] = /^([-+]?)(.*)$/.exec(text) ?? [];
  const isHexadecimal = /^0[xX]/.test(digits);
  const isOctal = base === 8 || (base === undefined && /^0[0-7]+$/.test(digits));
  const bare = isHexadecimal ? digits.slice(2) : digits;
  const prefix = isHexadecimal || base === 16 ? '0x' : isOctal ? '0o' : '';
  const value = BigInt(prefix + bare);
  return integer(sign === '-' ? -value : value);
}
