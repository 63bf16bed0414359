/** Floats as Ruby's `printf` writes them: exact decimal expansions, halves rounded to even. */

import { type DigitCount, digitsBeforeHalf } from './near-half.ts';

interface Binary {
  readonly mantissa: bigint;
  /** The value is `mantissa * 2 ** exponent`. */
  readonly exponent: number;
}

/** `%.{precision}f` of a finite number that is not negative. */
export function printfFixed(value: number, precision: number): string {
  const scaled =
    halfToEven(value, { fraction: precision })?.number ?? roundedScale(binaryOf(value), precision);
  if (precision === 0) return scaled.toString();
  const digits = scaled.toString().padStart(precision + 1, '0');
  return `${digits.slice(0, -precision)}.${digits.slice(-precision)}`;
}

/** `%.{precision}e` of a finite number that is not negative. */
export function printfExponent(value: number, precision: number): string {
  const { digits, exponent } = significant(value, precision + 1);
  const mantissa = precision === 0 ? digits : `${digits.slice(0, 1)}.${digits.slice(1)}`;
  return `${mantissa}e${exponentText(exponent)}`;
}

/**
 * `%.{precision}g` of a finite number that is not negative.
 *
 * @param keepsZeros - the flag `#`: trailing zeros stay
 */
export function printfGeneral(value: number, precision: number, keepsZeros = false): string {
  const figures = precision === 0 ? 1 : precision;
  const { digits, exponent, isWhole } = significant(value, figures);
  const showsAll = keepsZeros || isWhole === true;
  if (exponent < -4 || exponent >= figures) {
    const mantissa = keepsZeros || digits.length > 1 ? `${digits.slice(0, 1)}.${digits.slice(1)}` : digits;
    return `${showsAll ? mantissa : withoutZeros(mantissa)}e${exponentText(exponent)}`;
  }
  const fixed = fixedOf(digits, exponent);
  if (showsAll && !keepsZeros) return fixed;
  if (keepsZeros) return fixed.includes('.') ? fixed : `${fixed}.`;
  return fixed.includes('.') ? withoutZeros(fixed) : fixed;
}

/** `%.{precision}a` of a finite number that is not negative; `undefined` gives as many digits as are needed. */
export function printfHexadecimal(value: number, precision: number | undefined): string {
  if (value === 0)
    return `0x0${precision === undefined || precision === 0 ? '' : `.${'0'.repeat(precision)}`}p+0`;
  const { mantissa, exponent } = binaryOf(value);
  const shift = BigInt(52 - (mantissa.toString(2).length - 1));
  let bits = mantissa << shift;
  let power = exponent - Number(shift) + 52;
  if (precision !== undefined && precision < 13)
    bits = divideToEven(bits, 1n << BigInt(4 * (13 - precision)));
  let digits = bits.toString(16);
  // Rounded up to the next power of two.
  if (digits.startsWith('2')) {
    digits = `1${digits.slice(1)}`;
    power += 1;
  }
  const kept =
    precision === undefined ? digits.slice(1).replace(/0+$/, '') : digits.slice(1).padEnd(precision, '0');
  return `0x${digits.slice(0, 1)}${kept === '' ? '' : `.${kept}`}p${power < 0 ? '-' : '+'}${Math.abs(power)}`;
}

function exponentText(exponent: number): string {
  return `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function withoutZeros(text: string): string {
  return text.replace(/\.?0*$/, '');
}

interface Significant {
  readonly digits: string;
  /** The power of ten of the first digit. */
  readonly exponent: number;
  /** True where Ruby forgets to drop zeros at the end: it was going to round up, and then did not. */
  readonly isWhole?: boolean;
}

/** Whether what `digits` leave out is half a unit of the last of them, or more. */
function isHalfOrMore(value: number, digits: string, exponent: number): boolean {
  const scale = digits.length - exponent;
  const [numerator, denominator] = scaledFraction(binaryOf(value), scale);
  return numerator >= (BigInt(digits) * 10n + 5n) * denominator;
}

/** `digits` with their point where it belongs; `exponent` is that of the first and less than their number. */
function fixedOf(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  return exponent + 1 === digits.length
    ? digits
    : `${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}

/** The first `count` significant digits, rounded, and the power of ten of the first. */
function significant(value: number, count: number): Significant {
  if (value === 0) return { digits: '0'.repeat(count), exponent: 0 };
  const half = halfToEven(value, { significant: count });
  if (half !== undefined) {
    const digits = half.number.toString().slice(0, count);
    return { digits, exponent: half.exponent, isWhole: isHalfOrMore(value, digits, half.exponent) };
  }
  const binary = binaryOf(value);
  let exponent = Number(value.toExponential(0).split('e')[1]) - 1;
  // `toExponential` rounds, so that its exponent is one too many at times; the loop runs at most three times.
  for (;;) {
    const digits = roundedScale(binary, count - 1 - exponent).toString();
    if (digits.length === count) return { digits, exponent };
    exponent += 1;
  }
}

/** All digits of a value that Ruby treats as a tie, as one rounded number, and the power of ten of the first. */
function halfToEven(
  value: number,
  count: DigitCount,
): { readonly number: bigint; readonly exponent: number } | undefined {
  if (value === 0) return undefined;
  const half = digitsBeforeHalf(value, count);
  if (half === undefined) return undefined;
  const number = BigInt(half.digits);
  const rounded = number % 2n === 0n ? number : number + 1n;
  const hasCarried = rounded.toString().length > half.digits.length;
  return { number: rounded, exponent: half.exponent + (hasCarried ? 1 : 0) };
}

/** `value * 10 ** scale`, rounded to an integer. */
function roundedScale(binary: Binary, scale: number): bigint {
  const [numerator, denominator] = scaledFraction(binary, scale);
  return divideToEven(numerator, denominator);
}

function scaledFraction({ mantissa, exponent }: Binary, scale: number): readonly [bigint, bigint] {
  let numerator = mantissa;
  let denominator = 1n;
  if (exponent >= 0) numerator <<= BigInt(exponent);
  else denominator <<= BigInt(-exponent);
  if (scale >= 0) numerator *= 10n ** BigInt(scale);
  else denominator *= 10n ** BigInt(-scale);
  return [numerator, denominator];
}

function divideToEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  if (twice < denominator) return quotient;
  if (twice > denominator) return quotient + 1n;
  return quotient % 2n === 0n ? quotient : quotient + 1n;
}

function binaryOf(value: number): Binary {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0) & 0x7fffffffffffffffn;
  const biased = Number(bits >> 52n);
  const fraction = bits & 0xfffffffffffffn;
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: biased - 1075 };
}
