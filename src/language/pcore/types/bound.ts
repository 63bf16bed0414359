/** One end of a range: an integer, a float, or plus or minus `Infinity` for an open end. */
export type Bound = number | bigint;

/** `other` lies within `[from, to]`. Numbers and bigints compare exactly with each other. */
export function covers(from: Bound, to: Bound, otherFrom: Bound, otherTo: Bound): boolean {
  return from <= otherFrom && to >= otherTo;
}

export function least(a: Bound, b: Bound): Bound {
  return a <= b ? a : b;
}

export function greatest(a: Bound, b: Bound): Bound {
  return a >= b ? a : b;
}

/** The parameters of a range as printed: none when it is open both ways. */
export function rangeParameters(
  from: Bound,
  to: Bound,
  print: (bound: Bound) => string = String,
): readonly string[] {
  if (from === -Infinity && to === Infinity) return [];
  const low = from === -Infinity ? 'default' : print(from);
  return to === Infinity ? [low] : [low, print(to)];
}
