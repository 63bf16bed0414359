/** Floats as C's `printf` writes them: exact decimal expansions, halves rounded to even. */

interface Binary {
  readonly mantissa: bigint;
  /** The value is `mantissa * 2 ** exponent`. */
  readonly exponent: number;
}

/** `%.{precision}f` of a finite number that is not negative. */
export function printfFixed(value: number, precision: number): string {
  const scaled = roundedScale(binaryOf(value), precision);
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
  const { digits, exponent } = significant(value, figures);
  if (exponent < -4 || exponent >= figures) {
    const mantissa = `${digits.slice(0, 1)}.${digits.slice(1)}`;
    return `${keepsZeros ? mantissa : withoutZeros(mantissa)}e${exponentText(exponent)}`;
  }
  const fixed = printfFixed(value, figures - 1 - exponent);
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
  const power = exponent - Number(shift) + 52;
  if (precision !== undefined && precision < 13)
    bits = divideToEven(bits, 1n << BigInt(4 * (13 - precision)));
  const digits = bits.toString(16);
  const kept =
    precision === undefined ? digits.slice(1).replace(/0+$/, '') : digits.slice(1).padEnd(precision, '0');
  return `0x${digits.slice(0, 1)}${kept === '' ? '' : `.${kept}`}p${power < 0 ? '-' : '+'}${Math.abs(power)}`;
}

function exponentText(exponent: number): string {
  return `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function withoutZeros(text: string): string {
  return text.replace(/\.?0+$/, '');
}

/** The first `count` significant digits, rounded, and the power of ten of the first. */
function significant(value: number, count: number): { readonly digits: string; readonly exponent: number } {
  if (value === 0) return { digits: '0'.repeat(count), exponent: 0 };
  const binary = binaryOf(value);
  let exponent = Number(value.toExponential(0).split('e')[1]) - 1;
  // `toExponential` rounds, so that its exponent is one too many at times; the loop runs at most three times.
  for (;;) {
    const digits = roundedScale(binary, count - 1 - exponent).toString();
    if (digits.length === count) return { digits, exponent };
    exponent += 1;
  }
}

/** `value * 10 ** scale`, rounded to an integer. */
function roundedScale({ mantissa, exponent }: Binary, scale: number): bigint {
  let numerator = mantissa;
  let denominator = 1n;
  if (exponent >= 0) numerator <<= BigInt(exponent);
  else denominator <<= BigInt(-exponent);
  if (scale >= 0) numerator *= 10n ** BigInt(scale);
  else denominator *= 10n ** BigInt(-scale);
  return divideToEven(numerator, denominator);
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
