/** Text to numbers as Ruby's `Integer()`, `Float()`, `String#to_i` and `String#to_f` do it. */

const SPACE = '[ \\t\\n\\v\\f\\r]*';
const STRICT_INTEGER = new RegExp(
  `^${SPACE}([+-]?)(?:0[xX]([0-9a-fA-F]+(?:_[0-9a-fA-F]+)*)|0[bB]([01]+(?:_[01]+)*)|` +
    `0[oO]?_?([0-7]+(?:_[0-7]+)*)|(?:0[dD])?([0-9]+(?:_[0-9]+)*))${SPACE}$`,
);
const STRICT_FLOAT = new RegExp(
  `^${SPACE}([+-]?(?:[0-9]+(?:_[0-9]+)*(?:\\.[0-9]+(?:_[0-9]+)*)?|\\.[0-9]+(?:_[0-9]+)*)` +
    `(?:[eE][+-]?[0-9]+(?:_[0-9]+)*)?)${SPACE}$`,
);
const HEXADECIMAL_FLOAT = new RegExp(
  `^${SPACE}([+-]?)0[xX]([0-9a-fA-F]+)(?:\\.([0-9a-fA-F]+))?(?:[pP]([+-]?[0-9]+))?${SPACE}$`,
);

/** `Integer(text)`: with the prefixes `0x`, `0b`, `0o`, `0`; `undefined` for what Ruby refuses. */
export function parseInteger(text: string): bigint | undefined {
  const match = STRICT_INTEGER.exec(text);
  if (match === null) return undefined;
  const [, sign, hexadecimal, binary, octal, decimal] = match;
  const magnitude = integerOf('0x', hexadecimal) ?? integerOf('0b', binary) ?? integerOf('0o', octal);
  const value = magnitude ?? integerOf('', decimal) ?? 0n;
  return sign === '-' ? -value : value;
}

function integerOf(prefix: string, digits: string | undefined): bigint | undefined {
  return digits === undefined ? undefined : BigInt(prefix + digits.replaceAll('_', ''));
}

/** `Float(text)`; `undefined` for what Ruby refuses. */
export function parseFloatStrictly(text: string): number | undefined {
  const decimal = STRICT_FLOAT.exec(text)?.[1];
  if (decimal !== undefined) return Number(decimal.replaceAll('_', ''));
  const match = HEXADECIMAL_FLOAT.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', power = '0'] = match;
  const value = Number(BigInt(`0x${whole}${fraction}`)) * 2 ** (Number(power) - 4 * fraction.length);
  return sign === '-' ? -value : value;
}

/** `text.to_i`: the integer that the text begins with, 0 when there is none. */
export function leadingInteger(text: string): bigint {
  const match = /^[ \t\n\v\f\r]*([+-]?)([0-9]+(?:_[0-9]+)*)/.exec(text);
  if (match === null) return 0n;
  const value = BigInt((match[2] ?? '0').replaceAll('_', ''));
  return match[1] === '-' ? -value : value;
}

/** `text.to_f`: the number that the text begins with, 0 when there is none. */
export function leadingFloat(text: string): number {
  const match = /^[ \t\n\v\f\r]*([+-]?[0-9]+(?:_[0-9]+)*(?:\.[0-9]+(?:_[0-9]+)*)?(?:[eE][+-]?[0-9]+)?)/.exec(
    text,
  );
  return match === null ? 0 : Number((match[1] ?? '0').replaceAll('_', ''));
}
