import { Float, isArray, isInteger, keyOf, PuppetHash, type Value } from '../../pcore/index.ts';

/** Ruby's `==`: strings with case, integers equal to floats of the same value. */
export function rubyEquals(left: Value, right: Value): boolean {
  if (left === right) return true;
  if (left instanceof Float)
    return right instanceof Float ? left.value === right.value : numberEquals(right, left);
  if (right instanceof Float) return numberEquals(left, right);
  if (isArray(left)) return isArray(right) && arraysAreEqual(left, right);
  if (left instanceof PuppetHash) return right instanceof PuppetHash && hashesAreEqual(left, right);
  if (left === null || right === null || typeof left !== 'object' || typeof right !== 'object') return false;
  return keyOf(left) === keyOf(right);
}

function numberEquals(integer: Value, float: Float): boolean {
  // oxlint-disable-next-line eqeqeq -- a bigint and a number of the same value are equal
  return isInteger(integer) && integer == float.value;
}

function arraysAreEqual(left: readonly Value[], right: readonly Value[]): boolean {
  return left.length === right.length && left.every((item, at) => rubyEquals(item, right[at] ?? null));
}

function hashesAreEqual(left: PuppetHash, right: PuppetHash): boolean {
  if (left.size !== right.size) return false;
  for (const [key, item] of left) {
    const other = right.get(key);
    if (other === undefined || !rubyEquals(item, other)) return false;
  }
  return true;
}
