/** `[certname, count(value)]` and the fields in it. */

import type { Json } from '../query/ast.ts';
import { readList } from './list.ts';
import { readString } from './literal.ts';
import type { Reader } from './reader.ts';

const functionName = /(avg|count|max|min|sum|to_string)(?=\s*\()/y;

/** The fields between brackets, which are consumed. */
export function readProjection(reader: Reader): readonly Json[] {
  reader.skipSpace();
  if (reader.take(']')) return [];
  return readList(reader, readProjected, ']');
}

/** A field or a function of one: `["function", "count", "value"]`. */
export function readProjected(reader: Reader): Json {
  const name = reader.takePattern(functionName)?.[1];
  if (name === undefined) return readField(reader);
  reader.skipSpace();
  reader.take('(');
  reader.skipSpace();
  if (reader.take(')')) return ['function', name];
  return ['function', name, ...readList(reader, readArgument, ')')];
}

function readArgument(reader: Reader): Json {
  return /["']/.test(reader.text.charAt(reader.position)) ? readString(reader) : readField(reader);
}

/** `certname`, `facts.os."a.b".models[0]`, `facts.match("x.*")`, as they are written. */
export function readField(reader: Reader): string {
  const field = reader.takePattern(
    /[A-Za-z0-9_]+\??(?:(?:\.(?:match\("(?:[^"\\]|\\.)*"\)|"[^"]*"|[A-Za-z0-9_:-]+))(?:\[\d+\])*)*/y,
  );
  if (field !== undefined) return field[0];
  reader.expect('parameters', 'trusted', 'facts', '#"[a-zA-Z0-9_]+\\??"');
  throw reader.failure();
}
