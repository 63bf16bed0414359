/** Queries of the root: PQL, or `["from", ...]` as text or as a value. */

import { type Clause, isClause, type Json } from '../query/ast.ts';
import { clojureText } from '../query/clojure-text.ts';
import { parseQueryJsons } from '../query/json-mistake.ts';
import { QueryError } from '../query/query-error.ts';
import { parsePql } from './parse-pql.ts';

/** @throws QueryError saying what is wrong with the text, or that it is no query */
export function rootClause(query: Json): Clause {
  const value = typeof query === 'string' ? parseRootText(query) : query;
  if (value === null) return [];
  if (isClause(value)) return value;
  throw new QueryError('The query must be a JSON array');
}

/** JSON, or else PQL. */
export function parseRootText(text: string): Json {
  return /^\s*\[/.test(text) ? parseClauseText(text) : parsePql(text);
}

/** @throws QueryError for more than one value */
export function parseClauseText(text: string): Json {
  const [parsed = null, ...others] = parseQueryJsons(text) as readonly Json[];
  if (others.length === 0) return parsed;
  const found = `(${others.map((other) => clojureText([other]).slice(1, -1)).join(' ')})`;
  throw new QueryError(
    `Only one query may be sent in a request. Found JSON ${found} after the query ${clojureText(parsed)}`,
  );
}
