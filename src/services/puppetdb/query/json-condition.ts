/** Conditions on JSON text, by what it holds. */

import { canonicalJson } from '../canonical-json.ts';
import type { Json } from './ast.ts';
import type { QueryDialect } from './dialect.ts';
import { bound, type Fragment, fragment, never, raw } from './fragment.ts';

export type Comparison = '>' | '<' | '>=' | '<=';

/** Equal as JSON; numbers by value. Nothing equals null. */
export function jsonEquals(dialect: QueryDialect, json: Fragment, literal: Json): Fragment {
  if (literal === null) return never;
  if (typeof literal === 'number') {
    return fragment`(${dialect.isNumber(json)} and ${dialect.number(json)} = ${bound(literal)})`;
  }
  return fragment`${json} = ${bound(canonicalJson(literal))}`;
}

/** Only numbers compare. */
export function jsonCompares(
  dialect: QueryDialect,
  json: Fragment,
  comparison: Comparison,
  literal: number,
): Fragment {
  const number = dialect.number(json);
  return fragment`(${dialect.isNumber(json)} and ${number} ${raw(comparison)} ${bound(literal)})`;
}

export function jsonMatches(dialect: QueryDialect, json: Fragment, pattern: string): Fragment {
  return dialect.matches(dialect.text(json), pattern);
}
