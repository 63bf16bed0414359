/**
 * Where Ruby's `printf` rounds otherwise than the exact value says: its conversion first tries floating-point
 * arithmetic, and what that cannot tell from a half is rounded to even, as if it were one (2.675 to 2.68).
 * The steps are those of David Gay's `dtoa`, whose errors are part of the result.
 */

/** With more digits than these it does not try. */
const MOST_DIGITS = 14;
const TENS: readonly number[] = Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));
const BIG_TENS: readonly number[] = [1e16, 1e32, 1e64, 1e128, 1e256];

/** How many digits are asked for: in all, or after the point. */
export type DigitCount = { readonly significant: number } | { readonly fraction: number };

/**
 * The digits of a number that Ruby takes for a half, before rounding.
 *
 * @param value - finite and greater than 0
 * @returns the digits and the power of ten of the first; `undefined` where the exact value decides
 */
export function digitsBeforeHalf(
  value: number,
  count: DigitCount,
): { readonly digits: string; readonly exponent: number } | undefined {
  const { k, isExact } = estimatedExponent(value);
  const wanted = 'significant' in count ? count.significant : count.fraction + k + 1;
  if (wanted < 1 || wanted > MOST_DIGITS) return undefined;
  const scaled = scale(value, k);
  let { errors, d } = scaled;
  let exponent = k;
  let limit = wanted;
  if (!isExact && d < 1) {
    limit = 'significant' in count ? wanted : wanted - 1;
    if (limit < 1) return undefined;
    exponent -= 1;
    d *= 10;
    errors += 1;
  }
  const epsilon = (errors * d + 7) * 2 ** -52 * (TENS[limit - 1] ?? 1);
  let digits = '';
  for (let index = 1; ; index += 1, d *= 10) {
    const digit = Math.trunc(d);
    d -= digit;
    digits += String(digit);
    if (d === 0) return undefined;
    if (index === limit) break;
  }
  return d <= 0.5 + epsilon && d >= 0.5 - epsilon ? { digits, exponent } : undefined;
}

/** The power of ten of the first digit, which may be one too great where it is not exact. */
function estimatedExponent(value: number): { readonly k: number; readonly isExact: boolean } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const biased = (view.getUint32(0) >>> 20) & 0x7ff;
  const power = biased === 0 ? Math.floor(Math.log2(value)) : biased - 1023;
  const fraction = biased === 0 ? value / 2 ** power : value / 2 ** (biased - 1023);
  const estimate = (fraction - 1.5) * 0.289529654602168 + 0.1760912590558 + power * 0.301029995663981;
  const k = Math.floor(estimate);
  const ten = TENS[k];
  if (ten === undefined) return { k, isExact: false };
  return { k: value < ten ? k - 1 : k, isExact: true };
}

/** `value / 10 ** k`, with a bound for the errors made on the way. */
function scale(value: number, k: number): { readonly d: number; readonly errors: number } {
  let d = value;
  let errors = 2;
  if (k > 0) {
    let divisor = TENS[k & 15] ?? 1;
    let high = k >> 4;
    if ((high & 16) !== 0) {
      high &= 15;
      d /= 1e256;
      errors += 1;
    }
    for (let index = 0; high !== 0; high >>= 1, index += 1) {
      if ((high & 1) === 0) continue;
      errors += 1;
      divisor *= BIG_TENS[index] ?? 1;
    }
    return { d: d / divisor, errors };
  }
  if (k === 0) return { d, errors };
  d *= TENS[-k & 15] ?? 1;
  for (let index = 0, high = -k >> 4; high !== 0; high >>= 1, index += 1) {
    if ((high & 1) === 0) continue;
    errors += 1;
    d *= BIG_TENS[index] ?? 1;
  }
  return { d, errors };
}
