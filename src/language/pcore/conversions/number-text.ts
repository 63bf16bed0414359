/** Strings as numbers, as Ruby's `Integer()` and `Float()` read them. */

import { fault } from '../fault.ts';
import { type IntegerValue, integer } from '../value.ts';

const PREFIXES: Readonly<Record<string, number>> = { '0x': 16, '0b': 2, '0o': 8 };

/**
 * @param radix - 2, 8, 10 or 16; absent: by the prefix (`0x`, `0b`, `0o`, `0`)
 * @throws PuppetError `invalid value for Integer(): "..."`
 */
export function parseInteger(text: string, radix?: number): IntegerValue {
  const value = tryParseInteger(text, radix);
  if (value === undefined) throw fault(`invalid value for Integer(): ${JSON.stringify(text)}`);
  return value;
}

export function tryParseInteger(text: string, radix?: number): IntegerValue | undefined {
  const found = /^\s*([-+]?)(0[xXbBoO]|0(?=[0-9_]))?([0-9a-zA-Z_]+)\s*$/.exec(text);
  if (found === null) return undefined;
  const [, sign, prefix, digits = ''] = found;
  const implied = prefix === undefined ? undefined : (PREFIXES[prefix.toLowerCase()] ?? 8);
  if (radix !== undefined && implied !== undefined && implied !== radix) {
    // A leading zero is a digit where octal is not meant.
    if (prefix !== '0') return undefined;
  }
  const base = radix ?? implied ?? 10;
  if (!/^[0-9a-zA-Z]+(?:_[0-9a-zA-Z]+)*$/.test(digits)) return undefined;
  const plain = digits.replaceAll('_', '').toLowerCase();
  let value = 0n;
  for (const character of plain) {
    const digit = Number.parseInt(character, 36);
    if (Number.isNaN(digit) || digit >= base) return undefined;
    value = value * BigInt(base) + BigInt(digit);
  }
  return integer(sign === '-' ? -value : value);
}

/** @throws PuppetError `invalid value for Float(): "..."` */
export function parseFloat(text: string): number {
  const compact = text.trim();
  if (/^[-+]?(?:\d+(?:_\d+)*)(?:\.\d+(?:_\d+)*)?(?:[eE][-+]?\d+)?$/.test(compact)) {
    return Number(compact.replaceAll('_', ''));
  }
  const whole = /^[-+]?0[xX]/.test(compact) ? tryParseInteger(compact) : undefined;
  if (whole === undefined) throw fault(`invalid value for Float(): ${JSON.stringify(text)}`);
  return Number(whole);
}

/** A number as it may be written in Puppet code; `undefined` for other strings. */
export function parseNumeric(
  text: string,
): { readonly value: IntegerValue | number; readonly isFloat: boolean } | undefined {
  const found = /^[ \t]*([-+]?)[ \t]*((0[xX][0-9A-Fa-f]+)|(0?\d+)((?:\.\d+)?(?:[eE]-?\d+)?))[ \t]*$/.exec(
    text,
  );
  if (found === null) return undefined;
  const [, sign, digits = '', , , fraction = ''] = found;
  if (fraction !== '') {
    const value = Number(digits);
    return { value: sign === '-' ? -value : value, isFloat: true };
  }
  const value = tryParseInteger(digits);
  return value === undefined
    ? undefined
    : { value: sign === '-' ? integer(-BigInt(value)) : value, isFloat: false };
}
