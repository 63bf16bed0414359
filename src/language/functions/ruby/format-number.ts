/** Integers and floats in a Ruby format string. */

import { printfExponent, printfFixed, printfGeneral, printfHexadecimal } from '../../../lib/printf-float.ts';
import type { Directive } from './format-directive.ts';

const BASES: Readonly<Record<string, number>> = { x: 16, X: 16, b: 2, B: 2, o: 8 };

/** Digits with what stands before them, still without padding. */
interface Digits {
  /** `-`, `+`, a space or nothing. */
  readonly sign: string;
  readonly prefix: string;
  /** True for the complement of a negative number, which has `..` in front. */
  readonly isComplement: boolean;
  readonly digits: string;
  /** What fills up to the precision. */
  readonly filler: string;
}

/** `%d`, `%x`, `%o`, `%b` and their like. */
export function formatInteger(directive: Directive, value: bigint): string {
  const parts = digitsOf(directive, value);
  const used = parts.sign.length + parts.prefix.length + (parts.isComplement ? 2 : 0);
  let width = (directive.width ?? 0) - used;
  let precision = directive.precision === undefined ? -1 : directive.precision - (parts.isComplement ? 2 : 0);
  let { digits } = parts;
  if (directive.hasZero && !directive.isLeft && directive.precision === undefined) {
    precision = width;
    width = 0;
  } else {
    if (precision === 0 && digits === '0' && parts.prefix === '') digits = '';
    precision = Math.max(precision, digits.length);
    width -= precision;
  }
  const filled = parts.filler.repeat(Math.max(0, precision - digits.length)) + digits;
  const text = `${parts.sign}${parts.prefix}${parts.isComplement ? '..' : ''}${filled}`;
  return pad(directive, text, width);
}

function digitsOf(directive: Directive, value: bigint): Digits {
  const base = BASES[directive.type];
  const magnitude = value < 0n ? -value : value;
  if (base === undefined || value >= 0n || directive.hasPlus || directive.hasSpace) {
    const digits = inCase(directive, magnitude.toString(base ?? 10));
    const prefix = magnitude === 0n ? '' : prefixOf(directive, digits);
    return { sign: signOf(directive, value < 0n), prefix, isComplement: false, digits, filler: '0' };
  }
  const digits = inCase(directive, complement(value, base));
  const prefix = directive.type === 'o' ? '' : prefixOf(directive, digits);
  return { sign: '', prefix, isComplement: true, digits, filler: digits.slice(0, 1) };
}

function inCase(directive: Directive, text: string): string {
  return directive.type === 'X' ? text.toUpperCase() : text;
}

function prefixOf(directive: Directive, digits: string): string {
  if (!directive.hasAlternative) return '';
  if (directive.type !== 'o') return BASES[directive.type] === undefined ? '' : `0${directive.type}`;
  return directive.precision !== undefined && directive.precision > digits.length ? '' : '0';
}

/** The two's complement of a negative number, with one leading digit that stands for endlessly many. */
function complement(value: bigint, base: number): string {
  const big = BigInt(base);
  let count = 1;
  while (-(big ** BigInt(count)) > value) count += 1;
  const greatest = (base - 1).toString(base);
  const digits = greatest + (value + big ** BigInt(count)).toString(base).padStart(count, '0');
  let start = 0;
  while (digits[start + 1] === greatest) start += 1;
  return digits.slice(start);
}

function signOf(directive: Directive, isNegative: boolean): string {
  if (isNegative) return '-';
  if (directive.hasPlus) return '+';
  return directive.hasSpace ? ' ' : '';
}

/** `%f`, `%e`, `%g`, `%a` and their like. */
export function formatFloat(directive: Directive, value: number): string {
  const isNegative = value < 0 || Object.is(value, -0);
  const sign = signOf(directive, isNegative);
  if (!Number.isFinite(value)) {
    const text = sign + (Number.isNaN(value) ? 'NaN' : 'Inf');
    return pad(directive, text, (directive.width ?? 0) - text.length);
  }
  return padNumber(directive, sign, floatText(directive, Math.abs(value)));
}

/** `%f` of an integer, which Ruby writes exactly. */
export function formatExactInteger(directive: Directive, value: bigint): string {
  const precision = directive.precision ?? 6;
  const fraction = precision === 0 ? (directive.hasAlternative ? '.' : '') : `.${'0'.repeat(precision)}`;
  const magnitude = value < 0n ? -value : value;
  return padNumber(directive, signOf(directive, value < 0n), `${magnitude}${fraction}`);
}

function floatText(directive: Directive, magnitude: number): string {
  const { type, precision, hasAlternative } = directive;
  const lower = type.toLowerCase();
  let text: string;
  if (lower === 'a') text = printfHexadecimal(magnitude, precision);
  else if (lower === 'g') text = printfGeneral(magnitude, precision ?? 6, hasAlternative);
  else if (lower === 'e') text = printfExponent(magnitude, precision ?? 6);
  else text = printfFixed(magnitude, precision ?? 6);
  if (hasAlternative && lower !== 'g' && !text.includes('.')) text = text.replace(/^(?:0x)?[0-9]+/, '$&.');
  return type === lower ? text : text.toUpperCase();
}

function padNumber(directive: Directive, sign: string, text: string): string {
  const missing = (directive.width ?? 0) - sign.length - text.length;
  if (missing <= 0) return sign + text;
  if (!directive.hasZero || directive.isLeft) return pad(directive, sign + text, missing);
  const isHexadecimal = /^0[xX]/.test(text);
  const prefix = isHexadecimal ? text.slice(0, 2) : '';
  return `${sign}${prefix}${'0'.repeat(missing)}${text.slice(prefix.length)}`;
}

function pad(directive: Directive, text: string, missing: number): string {
  if (missing <= 0) return text;
  const spaces = ' '.repeat(missing);
  return directive.isLeft ? text + spaces : spaces + text;
}
