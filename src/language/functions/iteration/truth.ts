import type { Value } from '../../pcore/index.ts';

/** What a lambda's result counts as: only `false` and undef are false. */
export function isTrue(value: Value): boolean {
  return value !== false && value !== null;
}
