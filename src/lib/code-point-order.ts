/**
 * Compares two strings by their code points, which is the order of their UTF-8 bytes and of Ruby's `String#<=>`.
 * JavaScript's own order puts characters beyond U+FFFF before U+E000 to U+FFFF.
 *
 * @returns -1, 0 or 1
 */
export function compareCodePoints(left: string, right: string): -1 | 0 | 1 {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a === b) continue;
    return rank(a) < rank(b) ? -1 : 1;
  }
  return left.length < right.length ? -1 : 1;
}

/** Surrogates last, as the code points that they stand for. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
