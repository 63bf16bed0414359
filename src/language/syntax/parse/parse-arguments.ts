/** Lists of arguments, keys and entries, where `a => b` may stand without braces. */

import type { Expression, KeyedEntry, LiteralHash } from '../ast.ts';
import { Token } from '../lex/token.ts';
import { parseExpression } from './parse-expression.ts';
import { parseAssignment, parseAssignmentFrom } from './parse-relationship.ts';
import type { Mutable, Parser } from './parser.ts';

/**
 * Reads `argument (',' argument)*` up to, not including, the closing token. Entries `a => b` that follow each
 * other become one hash.
 */
export function parseArguments(parser: Parser, close: number, allowsEndComma: boolean): Expression[] {
  return parseItems(parser, close, allowsEndComma, parseAssignment);
}

/** As `parseArguments`, for the elements of an array: the words `type` and `function` are strings there. */
export function parseElements(parser: Parser): Expression[] {
  return parseItems(parser, Token.rBrack, true, parseEntryOperand);
}

/** Reads `'[' key (',' key)* ','? ']'`; types of parameters and results allow no comma at the end. */
export function parseAccessKeys(parser: Parser, allowsEndComma: boolean): Expression[] {
  parser.expect(Token.lBrack);
  const keys = parseItems(parser, Token.rBrack, allowsEndComma, parseKey);
  parser.expect(Token.rBrack);
  return keys;
}

/** Reads the entries of a hash up to its closing brace: `(entry (',' entry)* ','?)?`. */
export function parseHashEntries(parser: Parser): KeyedEntry[] {
  const entries: KeyedEntry[] = [];
  while (parser.kind !== Token.rBrace) {
    entries.push(parseEntryFrom(parser, parseEntryOperand(parser)));
    if (!parser.accept(Token.comma)) break;
  }
  return entries;
}

/** Goes on after the key of a hash entry. */
export function parseEntryFrom(parser: Parser, key: Expression): KeyedEntry {
  const { length } = parser;
  const offset = parser.expect(Token.fArrow);
  const value = parseEntryOperand(parser);
  return { kind: 'KeyedEntry', offset, length, key, value };
}

/** Grammar: `assignment | 'type' | 'function'`; the words only where they can't start a definition or call. */
function parseEntryOperand(parser: Parser): Expression {
  return parseKeywordOperand(parser, ENDS_ENTRY) ?? parseAssignment(parser);
}

const ENDS_ENTRY: ReadonlySet<number> = new Set([Token.fArrow, Token.comma, Token.rBrack, Token.rBrace]);
const ARROW: ReadonlySet<number> = new Set([Token.fArrow]);

function parseKeywordOperand(parser: Parser, followers: ReadonlySet<number>): Expression | undefined {
  if (parser.kind !== Token.type && parser.kind !== Token.function) return undefined;
  if (!followers.has(parser.peek())) return undefined;
  const { offset, length, value } = parser;
  parser.next();
  return { kind: 'LiteralString', offset, length, value };
}

function parseItems(
  parser: Parser,
  close: number,
  allowsEndComma: boolean,
  parseOne: (parser: Parser) => Expression,
): Expression[] {
  const items: Expression[] = [];
  let entries: KeyedEntry[] | undefined;
  for (;;) {
    const item = parseKeywordOperand(parser, ARROW) ?? parseOne(parser);
    if (parser.kind === Token.fArrow) {
      const entry = parseEntryFrom(parser, item);
      if (entries === undefined) items.push(unfoldedHash(entry, (entries = [])));
      entries.push(entry);
    } else {
      items.push(item);
      entries = undefined;
    }
    if (!parser.accept(Token.comma)) return items;
    if (allowsEndComma && parser.kind === close) return items;
  }
}

function unfoldedHash(first: KeyedEntry, entries: KeyedEntry[]): LiteralHash {
  const hash: Mutable<LiteralHash> = {
    kind: 'LiteralHash',
    offset: first.offset,
    length: first.length,
    entries,
  };
  return hash;
}

/** A key is an expression; only as the key of an entry it may be more. */
function parseKey(parser: Parser): Expression {
  const start = parser.kind;
  const isMarked =
    start === Token.at || start === Token.atAt || (start === Token.class && parser.peek() === Token.lBrace);
  const expression = isMarked ? parseAssignment(parser) : parseExpression(parser, 0);
  const key = parseAssignmentFrom(parser, expression);
  if ((isMarked || key !== expression) && parser.kind !== Token.fArrow) throw parser.syntaxError();
  return key;
}
