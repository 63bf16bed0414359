/** Strings, numbers and booleans of PQL. */

import type { Json } from '../query/ast.ts';
import { readList } from './list.ts';
import type { Reader } from './reader.ts';

export const expectedLiterals = ['false', 'true', '#"[0-9]+"', '-', "'", '"'] as const;

/** Lists of literals, too. @throws QueryError when there is none */
export function readLiteral(reader: Reader): Json {
  reader.expect(...expectedLiterals);
  if (reader.take('[')) return readList(reader, readLiteral, ']');
  if (reader.takeWord('true')) return true;
  if (reader.takeWord('false')) return false;
  return readOrdered(reader);
}

/** What has an order: a number or a text. @throws QueryError when there is none */
export function readOrdered(reader: Reader): Json {
  const number = reader.takePattern(/-?\d+(?:\.\d+(?:[Ee][+-]?\d+)?)?/y);
  if (number !== undefined) return Number(number[0]);
  return readString(reader);
}

/** @throws QueryError when there is none */
export function readString(reader: Reader): string {
  const single = reader.takePattern(/'((?:[^'\\]|\\[\s\S])*)'/y);
  if (single !== undefined) return (single[1] ?? '').replaceAll("\\'", "'");
  const double = reader.takePattern(/"(?:[^"\\]|\\[\s\S])*"/y);
  if (double === undefined) {
    reader.expect("'", '"');
    throw reader.failure();
  }
  return unescapeString(double[0], reader);
}

function unescapeString(quoted: string, reader: Reader): string {
  try {
    return String(JSON.parse(quoted.replaceAll('\n', '\\n').replaceAll('\t', '\\t')));
  } catch {
    throw reader.failure();
  }
}
