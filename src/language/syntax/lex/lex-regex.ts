/** Is a `/` the start of a regular expression, or a division? */

import { regexpMistake, showRegexp } from '../regexp/regexp-syntax.ts';
import type { Lexer } from './lexer.ts';
import { Token } from './token.ts';

const BACKSLASH = 0x5c;

/** After these a `/` divides; `}` is not among them because of the options of `case`. */
const DIVIDES_AFTER: ReadonlySet<number> = new Set<number>([
  Token.rParen,
  Token.rBrack,
  Token.rrCollect,
  Token.rCollect,
  Token.name,
  Token.classRef,
  Token.number,
  Token.string,
  Token.boolean,
  Token.dqPre,
  Token.dqMid,
  Token.dqPost,
  Token.heredoc,
  Token.regex,
  Token.variable,
  Token.word,
]);

/** A regular expression where one can be and a closing `/` follows, otherwise the operator. */
export function lexRegexOrDivision(lexer: Lexer): void {
  const start = lexer.pos;
  const mayBeRegex = !DIVIDES_AFTER.has(lexer.after);
  const end = mayBeRegex ? findEnd(lexer.text, start) : -1;
  if (mayBeRegex) lexer.matched(end === -1 ? -1 : start, end);
  if (end === -1) return lexer.emit(Token.div, '/');
  const source = lexer.text.slice(start + 1, end - 1).replaceAll('\\/', '/');
  const detail = regexpMistake(source);
  if (detail !== undefined)
    throw lexer.errorWithoutPosition('invalid_regexp', { detail, source: showRegexp(source) });
  lexer.push(Token.regex, start, end - start, source);
  lexer.pos = end;
}

/** The offset after the closing slash; `-1` when there is none. */
function findEnd(text: string, start: number): number {
  let end = text.indexOf('/', start + 1);
  while (end !== -1 && isEscaped(text, start, end)) end = text.indexOf('/', end + 1);
  return end === -1 ? -1 : end + 1;
}

function isEscaped(text: string, start: number, slash: number): boolean {
  let count = 0;
  while (slash - count - 1 > start && text.charCodeAt(slash - count - 1) === BACKSLASH) count++;
  return count % 2 === 1;
}
