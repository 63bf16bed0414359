import type { Value } from '../../pcore/index.ts';
import { small } from '../arguments.ts';
import { RubyRange } from '../values/ruby-values.ts';

/** The part that `[start, length]` or `[range]` means; `undefined` where Ruby says nil. */
export function rangeOf(
  [first = null, second]: readonly Value[],
  size: number,
): { readonly start: number; readonly length: number } | undefined {
  if (first instanceof RubyRange) return fromRange(first, size);
  const start = fromEnd(small(first), size);
  const length = small(second);
  return start < 0 || start > size || length < 0 ? undefined : { start, length };
}

function fromRange({ excludesLast, first, last }: RubyRange, size: number) {
  const start = first === null ? 0 : fromEnd(small(first), size);
  if (start < 0 || start > size) return undefined;
  const end = last === null ? size : fromEnd(small(last), size) + (excludesLast ? 0 : 1);
  return { start, length: Math.max(0, end - start) };
}

function fromEnd(index: number, size: number): number {
  return index < 0 ? index + size : index;
}
