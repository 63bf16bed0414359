/** `[a-z[:digit:]\s]` */

import { namedClasses } from './character-classes.ts';
import { PatternError } from './pattern-error.ts';
import type { CharacterSet, CodeRange } from './pattern-node.ts';
import type { PatternReader } from './pattern-reader.ts';
import { readEscape } from './read-escape.ts';

/** Reads on behind the opening bracket, to behind the closing one. @throws PatternError */
export function readBrackets(reader: PatternReader): CharacterSet {
  const isNegated = reader.takes('^');
  const ranges: CodeRange[] = [];
  for (let isFirst = true; isFirst || reader.peek() !== ']'; isFirst = false) {
    ranges.push(...readItem(reader));
  }
  reader.next();
  return { ranges, isNegated };
}

function readItem(reader: PatternReader): readonly CodeRange[] {
  const from = readBound(reader);
  const isRange = reader.peek() === '-' && reader.peek(1) !== ']' && reader.peek(1) !== '';
  if (!isRange) return typeof from === 'number' ? [[from, from]] : from;
  reader.next();
  const to = readBound(reader);
  if (typeof from !== 'number' || typeof to !== 'number' || from > to) {
    throw new PatternError('invalid character range');
  }
  return [[from, to]];
}

/** @returns a code point, or a class */
function readBound(reader: PatternReader): number | readonly CodeRange[] {
  if (reader.takes('[:')) return readClass(reader);
  if (reader.takes('[=')) return readCollating(reader, '=');
  if (reader.takes('[.')) return readCollating(reader, '.');
  if (reader.isAtEnd) throw unbalanced();
  if (!reader.takes('\\')) return reader.next().codePointAt(0) ?? 0;
  const escape = readEscape(reader);
  if (escape.kind === 'assertion') throw new PatternError('invalid escape \\ sequence');
  return escape.kind === 'character' ? escape.code : escape.ranges;
}

function readClass(reader: PatternReader): readonly CodeRange[] {
  const name = reader.takeWhile(/[^:\]]/);
  if (!reader.takes(':]')) throw reader.isAtEnd ? unbalanced() : unknownClass();
  return namedClasses.get(name) ?? fail(unknownClass());
}

/** `[=a=]`, `[.a.]`: one character. */
function readCollating(reader: PatternReader, mark: string): number {
  const [character = '', ...more] = Array.from(reader.takeWhile(mark === '=' ? /[^=]/ : /[^.]/));
  if (!reader.takes(`${mark}]`)) throw unbalanced();
  if (more.length > 0 || character === '') throw new PatternError('invalid collating element');
  return character.codePointAt(0) ?? 0;
}

function unknownClass(): PatternError {
  return new PatternError('invalid character class');
}

function unbalanced(): PatternError {
  return new PatternError('brackets [] not balanced');
}

function fail(error: PatternError): never {
  throw error;
}
