/** Numbers in strings, as operators take them. */

import { Float, type IntegerValue, integer } from '../../pcore/index.ts';

const NUMERIC =
  /^[ \t]*([-+]?)[ \t]*(?:(0[xX][0-9A-Fa-f]+)|(0?[0-9]+)((?:\.[0-9]+)?(?:[eE]-?[0-9]+)?))[ \t]*$/;

/** The number that a string holds, in decimal, hexadecimal or octal; `undefined` when it holds none. */
export function numberInString(text: string): IntegerValue | Float | undefined {
  const match = NUMERIC.exec(text);
  if (match === null) return undefined;
  const [, sign, hexadecimal, digits = '', fraction = ''] = match;
  const isNegative = sign === '-';
  if (hexadecimal === undefined && fraction !== '') {
    const value = Number(digits + fraction);
    return new Float(isNegative ? -value : value);
  }
  const magnitude = parseMagnitude(hexadecimal ?? digits);
  return magnitude === undefined ? undefined : integer(isNegative ? -magnitude : magnitude);
}

function parseMagnitude(digits: string): bigint | undefined {
  if (!/^0[0-9]/.test(digits)) return BigInt(digits);
  return /^[0-7]+$/.test(digits) ? BigInt(`0o${digits.slice(1)}`) : undefined;
}
