/** Names, bare words, class references and variables. */

import { isUpper, isWordChar, isWordStart } from './char.ts';
import type { Lexer } from './lexer.ts';
import { KEYWORDS, LONGEST_KEYWORD, Token } from './token.ts';

const COLON = 0x3a;
const DASH = 0x2d;
const UNDERSCORE = 0x5f;

/**
 * A word that starts with a lower-case letter or an underscore: segments with `::` between them. It is a name
 * when each segment starts with a letter and there is no dash, otherwise a word.
 */
export function lexBareWord(lexer: Lexer): void {
  const start = lexer.pos;
  const { end, isName } = scanBareWord(lexer.text, start);
  const value = lexer.text.slice(start, end);
  const kind = isName ? kindOfName(value) : Token.word;
  lexer.push(kind, start, end - start, value);
  lexer.matched(start, end);
  lexer.pos = end;
}

/** Something that starts with `::`. */
export function lexColons(lexer: Lexer): void {
  const next = lexer.code(2);
  if (isUpper(next)) return lexReference(lexer, 3, 'illegal_fully_qualified_class_reference');
  if (!isWordStart(next)) {
    lexer.pos += 2;
    throw lexer.error('illegal_fully_qualified_name', {});
  }
  lexBareWord(lexer);
}

export function lexClassReference(lexer: Lexer): void {
  lexReference(lexer, 1, 'illegal_class_reference');
}

/** `$name`, `$a::b`, `$::c`; a lone `$` is a variable without a name, which the validation refuses. */
export function lexVariable(lexer: Lexer): void {
  const start = lexer.pos;
  const end = scanVariableName(lexer.text, start + 1);
  lexer.push(
    Token.variable,
    start,
    end === -1 ? 1 : end - start,
    end === -1 ? '' : lexer.text.slice(start + 1, end),
  );
  lexer.matched(end === -1 ? -1 : start, end);
  lexer.pos = end === -1 ? start + 1 : end;
}

/** Where a variable's name ends, `-1` when there is none. Grammar: `(::)?(\w+::)*\w+`. */
export function scanVariableName(text: string, start: number): number {
  let pos = start;
  if (text.charCodeAt(pos) === COLON && text.charCodeAt(pos + 1) === COLON) pos += 2;
  let end = -1;
  while (isWordChar(text.charCodeAt(pos))) {
    pos = skipWord(text, pos);
    end = pos;
    if (text.charCodeAt(pos) !== COLON || text.charCodeAt(pos + 1) !== COLON) break;
    pos += 2;
  }
  return end;
}

function scanBareWord(text: string, start: number): { readonly end: number; readonly isName: boolean } {
  let pos = start;
  let isName = true;
  for (;;) {
    const segment = text.charCodeAt(pos) === COLON ? pos + 2 : pos;
    if (text.charCodeAt(segment) === UNDERSCORE) isName = false;
    pos = segment + 1;
    let code = text.charCodeAt(pos);
    let end = pos;
    while (isWordChar(code) || code === DASH) {
      pos++;
      if (code !== DASH) end = pos;
      code = text.charCodeAt(pos);
    }
    if (isName && hasDash(text, segment, end)) isName = false;
    pos = end;
    const more =
      text.charCodeAt(pos) === COLON &&
      text.charCodeAt(pos + 1) === COLON &&
      isWordStart(text.charCodeAt(pos + 2));
    if (!more) return { end: pos, isName };
  }
}

function hasDash(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === DASH) return true;
  return false;
}

function skipWord(text: string, start: number): number {
  let pos = start;
  while (isWordChar(text.charCodeAt(pos))) pos++;
  return pos;
}

function kindOfName(value: string): number {
  if (value.length > LONGEST_KEYWORD) return Token.name;
  return KEYWORDS.get(value) ?? Token.name;
}

function lexReference(
  lexer: Lexer,
  errorOffset: number,
  code: 'illegal_class_reference' | 'illegal_fully_qualified_class_reference',
): void {
  const { text } = lexer;
  const start = lexer.pos;
  let pos = start;
  for (;;) {
    const segment = text.charCodeAt(pos) === COLON && text.charCodeAt(pos + 1) === COLON ? pos + 2 : pos;
    if (!isUpper(text.charCodeAt(segment))) break;
    pos = skipWord(text, segment);
  }
  if (text.charCodeAt(pos) === COLON && text.charCodeAt(pos + 1) === COLON) {
    // The reference points that many characters behind what it could read.
    lexer.pos = pos + errorOffset;
    throw lexer.error(code, {});
  }
  lexer.push(Token.classRef, start, pos - start, text.slice(start, pos));
  lexer.matched(start, pos);
  lexer.pos = pos;
}
