/** Ruby's `Kernel.format` with a single directive. */

import { printfExponent, printfFixed, printfGeneral, printfHexadecimal } from '../../../lib/printf-float.ts';
import { fault } from '../fault.ts';
import { characterCount } from '../values/character-count.ts';
import { rubyFloat } from '../values/float-text.ts';

interface Directive {
  readonly isLeft: boolean;
  readonly isAlternate: boolean;
  readonly isZeroPadded: boolean;
  /** `'+'`, `' '` or `''`. */
  readonly plus: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly letter: string;
}

const DIRECTIVE = /^%([-+ #0]*)(\d*)(?:\.(\d+))?([a-zA-Z])$/;

function parseDirective(format: string): Directive {
  const found = DIRECTIVE.exec(format);
  const [, flags = '', width = '', precision, letter = ''] = found ?? [];
  if (found === null) throw malformed(/^%[-+ #0\d.]*(.)/.exec(format)?.[1] ?? '');
  return {
    isLeft: flags.includes('-'),
    isAlternate: flags.includes('#'),
    isZeroPadded: flags.includes('0'),
    plus: flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '',
    width: width === '' ? 0 : Number(width),
    precision: precision === undefined ? undefined : Number(precision),
    letter,
  };
}

/** @throws PuppetError when the directive is none that Ruby knows */
export function assertDirective(format: string): void {
  const { letter } = parseDirective(format);
  if (!'diuxXobBeEfgGaAspc'.includes(letter)) throw malformed(letter);
}

/** `%s` and `%p`; the precision cuts the text. */
export function formatText(format: string, text: string): string {
  const directive = parseDirective(format);
  if (!'sp'.includes(directive.letter)) throw malformed(directive.letter);
  const cut =
    directive.precision === undefined ? text : Array.from(text).slice(0, directive.precision).join('');
  return pad(cut, directive);
}

/** `%d %i %u %x %X %o %b %B` */
export function formatInteger(format: string, value: number | bigint): string {
  const directive = parseDirective(format);
  const { letter } = directive;
  if ('diu'.includes(letter)) return decimal(BigInt(value), directive);
  const base = RADIX[letter];
  if (base !== undefined) return withRadix(BigInt(value), base, directive);
  throw malformed(letter);
}

/** `%e %E %f %g %G %a %A` */
export function formatFloat(format: string, value: number): string {
  const directive = parseDirective(format);
  const { letter, plus } = directive;
  const isNegative = value < 0 || Object.is(value, -0);
  const sign = isNegative ? '-' : plus;
  if (!Number.isFinite(value)) {
    const text = Number.isNaN(value) ? 'NaN' : 'Inf';
    return pad((Number.isNaN(value) ? plus : sign) + text, directive);
  }
  const magnitude = Math.abs(value);
  switch (letter) {
    case 'f':
      return padNumber(sign, '', fixed(magnitude, directive), directive);
    case 'e':
    case 'E':
      return padNumber(sign, '', exponential(magnitude, directive), directive);
    case 'g':
    case 'G':
      return padNumber(sign, '', general(magnitude, directive), directive);
    case 'a':
    case 'A':
      return padHex(sign, magnitude, directive);
    default:
      throw malformed(letter);
  }
}

/** `%p` of a float: as Ruby's `inspect`. */
export function formatFloatText(format: string, value: number): string {
  return formatText(format, rubyFloat(value));
}

function malformed(letter: string): Error {
  if (letter === '<' || letter === '{') return fault('malformed name - unmatched parenthesis');
  return fault(`malformed format string - %${letter}`);
}

function pad(text: string, { isLeft, width }: Directive): string {
  const missing = width - characterCount(text);
  if (missing <= 0) return text;
  return isLeft ? text + ' '.repeat(missing) : ' '.repeat(missing) + text;
}

function padNumber(sign: string, prefix: string, digits: string, directive: Directive): string {
  const missing = directive.width - sign.length - prefix.length - digits.length;
  if (missing <= 0) return sign + prefix + digits;
  if (directive.isLeft) return sign + prefix + digits + ' '.repeat(missing);
  if (directive.isZeroPadded) return sign + prefix + '0'.repeat(missing) + digits;
  return ' '.repeat(missing) + sign + prefix + digits;
}

function decimal(value: bigint, directive: Directive): string {
  const sign = value < 0n ? '-' : directive.plus;
  const digits = digitsOf(value, 10, directive);
  return padNumber(sign, '', digits, withoutZero(directive));
}

/** Without the sign; a zero of precision 0 has no digits at all. */
function digitsOf(value: bigint, base: number, { precision }: Directive): string {
  if (value === 0n && precision === 0) return '';
  return (value < 0n ? -value : value).toString(base).padStart(precision ?? 0, '0');
}

/** A precision makes the flag `0` void. */
function withoutZero(directive: Directive): Directive {
  return directive.precision === undefined ? directive : { ...directive, isZeroPadded: false };
}

const RADIX: Readonly<Record<string, number>> = { x: 16, X: 16, o: 8, b: 2, B: 2 };
const PREFIX: Readonly<Record<string, string>> = { x: '0x', X: '0X', o: '0', b: '0b', B: '0B' };

function withRadix(value: bigint, base: number, directive: Directive): string {
  const { letter, plus, isAlternate } = directive;
  const toCase = (text: string): string => (letter === 'X' ? text.toUpperCase() : text);
  const isComplement = value < 0n && plus === '';
  const prefix =
    isAlternate && value !== 0n && !(isComplement && letter === 'o') ? (PREFIX[letter] ?? '') : '';
  if (!isComplement) {
    const sign = value < 0n ? '-' : plus;
    const digits = toCase(digitsOf(value, base, directive));
    return padNumber(sign, prefix, digits, withoutZero(directive));
  }
  return complement(value, base, prefix, directive);
}

/** A negative number in two's complement, whose endless first digit is shown once after `..`. */
function complement(value: bigint, base: number, prefix: string, directive: Directive): string {
  const top = (base - 1).toString(base);
  let power = BigInt(base);
  while (power < -value) power *= BigInt(base);
  let digits = (power + value).toString(base).padStart(power.toString(base).length - 1, '0');
  digits = top + digits.replace(new RegExp(`^${top}+`), '');
  if (directive.letter === 'X') digits = digits.toUpperCase();
  const fill = directive.letter === 'X' ? top.toUpperCase() : top;
  const isFilled = directive.isZeroPadded && !directive.isLeft;
  const size = directive.precision ?? (isFilled ? directive.width - prefix.length : 0);
  return padNumber('', prefix, `..${digits.padStart(size - 2, fill)}`, { ...directive, isZeroPadded: false });
}

function fixed(value: number, { precision = 6, isAlternate }: Directive): string {
  return withPoint(printfFixed(value, precision), isAlternate);
}

function exponential(value: number, { precision = 6, isAlternate, letter }: Directive): string {
  return inCase(withPoint(printfExponent(value, precision), isAlternate), letter === 'E');
}

function general(value: number, { precision = 6, isAlternate, letter }: Directive): string {
  return inCase(printfGeneral(value, precision, isAlternate), letter === 'G');
}

function padHex(sign: string, value: number, directive: Directive): string {
  const isUpper = directive.letter === 'A';
  const text = withPoint(printfHexadecimal(value, directive.precision).slice(2), directive.isAlternate);
  return padNumber(sign, isUpper ? '0X' : '0x', inCase(text, isUpper), directive);
}

/** The flag `#` asks for a point even where no digits follow it. */
function withPoint(text: string, isAlternate: boolean): string {
  return isAlternate && !text.includes('.') ? text.replace(/^[0-9]+/, '$&.') : text;
}

function inCase(text: string, isUpper: boolean): string {
  return isUpper ? text.toUpperCase() : text;
}
