/** Numbers: decimal, octal (`017`), hexadecimal (`0x1F`) and floating point. */

import { endsWord, isDigit, isHexDigit, isWordChar } from './char.ts';
import type { Lexer } from './lexer.ts';
import { Token } from './token.ts';

const DOT = 0x2e;

/** Grammar: `0[xX]\h+ | 0?\d+(\.\d+)?([eE]-?\d+)?`, ending where a word ends. */
export function lexNumber(lexer: Lexer): void {
  const start = lexer.pos;
  const end = scanNumber(lexer.text, start);
  if (end === -1) return refuse(lexer);
  const value = lexer.text.slice(start, end);
  assertNumeric(lexer, value, start);
  lexer.push(Token.number, start, end - start, value);
  lexer.matched(start, end);
  lexer.pos = end;
}

/** The end of the number, `-1` when there is none. Tries the longest reading first, as a regular expression would. */
function scanNumber(text: string, start: number): number {
  const marker = text.charCodeAt(start + 1) | 0x20;
  if (text.charCodeAt(start) === 0x30 && marker === 0x78) {
    const end = skip(text, start + 2, isHexDigit);
    return end > start + 2 && endsWord(text.charCodeAt(end)) ? end : -1;
  }
  const whole = skip(text, start, isDigit);
  let fraction = whole;
  if (text.charCodeAt(whole) === DOT && isDigit(text.charCodeAt(whole + 1))) {
    fraction = skip(text, whole + 1, isDigit);
  }
  for (const mantissa of fraction === whole ? [whole] : [fraction, whole]) {
    const exponent = scanExponent(text, mantissa);
    if (exponent !== -1 && endsWord(text.charCodeAt(exponent))) return exponent;
    if (endsWord(text.charCodeAt(mantissa))) return mantissa;
  }
  return -1;
}

function scanExponent(text: string, start: number): number {
  if ((text.charCodeAt(start) | 0x20) !== 0x65) return -1;
  const digits = text.charCodeAt(start + 1) === 0x2d ? start + 2 : start + 1;
  const end = skip(text, digits, isDigit);
  return end === digits ? -1 : end;
}

function skip(text: string, start: number, accepts: (code: number) => boolean): number {
  let pos = start;
  while (accepts(text.charCodeAt(pos))) pos++;
  return pos;
}

/** Says why this is not a number; a decimal is quoted from its beginning even when its first half was a token. */
function refuse(lexer: Lexer): never {
  const { text } = lexer;
  let start = lexer.pos;
  const end = skip(text, start, isWordChar);
  if (start > 1 && text.charCodeAt(start - 1) === DOT && isDigit(text.charCodeAt(start - 2))) {
    start -= 2;
    while (start > 0 && isDigit(text.charCodeAt(start - 1))) start--;
  }
  const value = text.slice(start, end);
  assertNumeric(lexer, value, start);
  throw lexer.error('illegal_number', { value }, start + 1);
}

function assertNumeric(lexer: Lexer, value: string, offset: number): void {
  if (/^0[xX]/.test(value)) {
    if (!/^0[xX][0-9A-Fa-f]+$/.test(value)) throw lexer.error('invalid_hex_number', { value }, offset);
  } else if (/^0[^.]/.test(value)) {
    if (!/^0[0-7]+$/.test(value)) throw lexer.error('invalid_octal_number', { value }, offset);
  } else if (/^\d+[eE.]/.test(value)) {
    if (!/^\d+(?:\.\d+)?(?:[eE]-?\d+)?$/.test(value)) {
      throw lexer.error('invalid_decimal_number', { value }, offset);
    }
  } else if (!/^\d+$/.test(value)) {
    throw lexer.error('illegal_number', { value }, offset);
  }
}
