import {
  Float,
  isInteger,
  SemVerValue,
  TimespanValue,
  TimestampValue,
  type Value,
} from '../../pcore/index.ts';

/** The order of versions and times, times with numbers too; `undefined` for other kinds. */
export function compareSameKind(left: Value, right: Value): number | undefined {
  if (left instanceof SemVerValue) return right instanceof SemVerValue ? left.compare(right) : undefined;
  if (!(left instanceof TimespanValue) && !(left instanceof TimestampValue)) return undefined;
  if (isInteger(right)) return sign(left.toInteger(), right);
  if (right instanceof Float) return sign(left.toFloat(), right.value);
  const isSameKind =
    (left instanceof TimespanValue && right instanceof TimespanValue) ||
    (left instanceof TimestampValue && right instanceof TimestampValue);
  return isSameKind ? sign(left.nanoseconds, right.nanoseconds) : undefined;
}

function sign(left: number | bigint, right: number | bigint): number {
  if (left < right) return -1;
  return left > right ? 1 : 0;
}
