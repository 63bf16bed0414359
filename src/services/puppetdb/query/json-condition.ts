/** Conditions on JSON text, by what it holds. */

import { jsonbText } from '../../../lib/jsonb-text.ts';
import type { Json } from './ast.ts';
import type { Comparison, QueryDialect } from './dialect.ts';
import { bound, type Fragment, fragment, never, raw } from './fragment.ts';

/** Equal as JSON; numbers by value. Nothing equals null, and what is missing equals nothing. */
export function jsonEquals(dialect: QueryDialect, json: Fragment, literal: Json): Fragment {
  if (literal === null) return never;
  if (typeof literal === 'number') {
    return fragment`(${dialect.number(json)} = ${bound(literal)}) is true`;
  }
  return fragment`(${dialect.equalsJson(json, jsonbText(literal))}) is true`;
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

/** Holds as `jsonEquals`, but hashes and lists need only contain what is asked for. */
export function jsonContains(dialect: QueryDialect, json: Fragment, literal: Json): Fragment {
  if (literal === null) return fragment`(${dialect.equalsJson(json, 'null')}) is true`;
  if (typeof literal !== 'object') return jsonEquals(dialect, json, literal);
  return fragment`(${dialect.containsJson(json, jsonbText(literal))}) is true`;
}

export function jsonMatches(dialect: QueryDialect, json: Fragment, pattern: string): Fragment {
  return dialect.matches(dialect.text(json), pattern);
}
