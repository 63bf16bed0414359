/** Ruby's `casecmp`: only the letters A to Z are folded. */

/** Equal but for the case of ASCII letters. Does not allocate. */
export function asciiCaseEquals(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) {
    if (fold(a.charCodeAt(index)) !== fold(b.charCodeAt(index))) return false;
  }
  return true;
}

/** Less than, equal to or greater than zero, by code points with ASCII letters folded. */
export function asciiCaseCompare(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = fold(a.charCodeAt(index));
    const right = fold(b.charCodeAt(index));
    if (left === right) continue;
    return rank(left) < rank(right) ? -1 : 1;
  }
  return Math.sign(a.length - b.length);
}

function fold(unit: number): number {
  return unit >= 65 && unit <= 90 ? unit + 32 : unit;
}

/** Surrogates stand for code points above all others. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
