/** Semantic versions, as far as releases are compared. */

interface Version {
  readonly numbers: readonly number[];
  readonly pre: readonly string[];
}

/** @returns negative when `left` is older */
export function compareVersions(left: string, right: string): number {
  const a = parse(left);
  const b = parse(right);
  for (const [index, number] of a.numbers.entries()) {
    const difference = number - (b.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return comparePre(a.pre, b.pre);
}

export function isPreRelease(version: string): boolean {
  return parse(version).pre.length > 0;
}

function parse(version: string): Version {
  const [main = '', pre] = (version.split('+')[0] ?? '').split(/-(.*)/s);
  return { numbers: main.split('.').map(Number), pre: pre === undefined ? [] : pre.split('.') };
}

/** A release is newer than what led to it. */
function comparePre(left: readonly string[], right: readonly string[]): number {
  if (left.length === 0 || right.length === 0) return right.length - left.length;
  for (const [index, part] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (part === other) continue;
    const [isNumber, isOtherNumber] = [/^\d+$/.test(part), /^\d+$/.test(other)];
    if (isNumber && isOtherNumber) return Number(part) - Number(other);
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
    return part < other ? -1 : 1;
  }
  return left.length - right.length;
}
