/** Quoted strings, and the interpolations in them and in heredocs. */

import { PuppetError } from '../diagnostic.ts';
import { isBlank } from './char.ts';
import { scanVariableName } from './lex-name.ts';
import type { Lexer } from './lexer.ts';
import { DOUBLE_QUOTE_ESCAPES, type Escapes, unescape } from './string-escapes.ts';
import { isKeyword, Token } from './token.ts';

const BACKSLASH = 0x5c;
const DOLLAR = 0x24;
const BRACE = 0x7b;

/** Where a piece of literal text ends, and by what: the closing quote (or end of a heredoc), `${` or `$`. */
interface Piece {
  readonly text: string;
  readonly terminator: 'end' | '${' | '$';
}

/** How the literal text of a string is read. */
export interface StringStyle {
  /** The character code that closes the string; `-1` for the end of the text. */
  readonly close: number;
  readonly escapes: Escapes;
  /** Does a backslash keep `$` and the closing quote from what they do? */
  readonly hasEscapes: boolean;
}

const DOUBLE_QUOTED: StringStyle = { close: 0x22, escapes: DOUBLE_QUOTE_ESCAPES, hasEscapes: true };

/** `'text'`, where only `\\` and `\'` are escapes. */
export function lexSingleQuoted(lexer: Lexer): void {
  const { text } = lexer;
  const start = lexer.pos;
  let end = skipDoubledQuote(text, start + 1, `'`);
  let hasEscapes = end > start + 2;
  for (;;) {
    const code = text.charCodeAt(end);
    if (code === 0x27) break;
    if (Number.isNaN(code)) {
      lexer.pos = start + 1;
      throw lexer.error('unclosed_quote', { after: `"'"`, followedBy: lexer.followedBy() });
    }
    if (code === BACKSLASH) hasEscapes = true;
    end += code === BACKSLASH ? 2 : 1;
  }
  const raw = text.slice(start + 1, end);
  const value = hasEscapes ? raw.replace(/\\([\\'])/g, '$1') : raw;
  lexer.push(Token.string, start, end + 1 - start, value);
  matchedTerminator(lexer, start + 1, end, end + 1);
  lexer.pos = end + 1;
}

/**
 * A quote right at the start of the text, and what ends text after it: then the first quote doesn't end it, because
 * the reference's pattern wants any one character before. Returns where to look for the end.
 */
function skipDoubledQuote(text: string, start: number, terminators: string): number {
  if (text[start] !== terminators[0]) return start;
  let at = start + 1;
  while (text[at] === '\\' && text[at + 1] === '\\') at += 2;
  return at < text.length && terminators.includes(text[at] ?? '') ? at : start;
}

/** `"text"` with escapes and interpolations. An error inside is found before the string's first token is used. */
export function lexDoubleQuoted(lexer: Lexer): void {
  const start = lexer.pos;
  lexer.pos++;
  lexString(lexer, start, DOUBLE_QUOTED);
}

/** Reads a string from behind its opening quote to its end, as one token or as a sequence with interpolations. */
export function lexString(lexer: Lexer, start: number, style: StringStyle): void {
  const size = lexer.tokens.size;
  lexer.enter();
  lexer.stringDepth++;
  try {
    lexPieces(lexer, start, style);
  } catch (error) {
    lexer.tokens.truncate(size);
    throw error;
  }
  lexer.stringDepth--;
  lexer.leave();
  const isPlain = lexer.tokens.size === size + 1;
  if (isPlain) lexer.after = Token.string;
  else if (lexer.stringDepth === 0) lexer.after = Token.dqPost;
}

function lexPieces(lexer: Lexer, start: number, style: StringStyle): void {
  let pieceStart = start;
  let isFirst = true;
  for (;;) {
    let { text, terminator } = slurp(lexer, style, isFirst);
    while (terminator === '$') {
      const end = scanVariableName(lexer.text, lexer.pos);
      if (end !== -1) {
        pushVariable(lexer, { pieceStart, text, isFirst, end });
        break;
      }
      lexer.matched(-1, -1);
      const more = slurp(lexer, style, false);
      text += `$${more.text}`;
      terminator = more.terminator;
    }
    if (terminator === 'end') {
      lexer.pushPart(isFirst ? Token.string : Token.dqPost, pieceStart, lexer.pos - pieceStart, text);
      return;
    }
    if (terminator === '${') {
      lexer.pushPart(isFirst ? Token.dqPre : Token.dqMid, pieceStart, lexer.pos - pieceStart, text);
      lexInterpolation(lexer);
    }
    pieceStart = lexer.pos;
    isFirst = false;
  }
}

function pushVariable(
  lexer: Lexer,
  piece: {
    readonly pieceStart: number;
    readonly text: string;
    readonly isFirst: boolean;
    readonly end: number;
  },
): void {
  const { pieceStart, text, isFirst, end } = piece;
  const dollar = lexer.pos - 1;
  lexer.pushPart(isFirst ? Token.dqPre : Token.dqMid, pieceStart, dollar - pieceStart, text);
  lexer.matched(lexer.pos, end);
  lexer.pushPart(Token.variable, dollar, end - dollar, lexer.text.slice(lexer.pos, end));
  lexer.pos = end;
}

/** Reads literal text up to the next thing that ends it, and moves past that. */
function slurp(lexer: Lexer, style: StringStyle, isFirst: boolean): Piece {
  const { text } = lexer;
  const start = lexer.pos;
  let pos = lexer.code() === style.close ? skipDoubledQuote(text, start, '"$') : start;
  let escaped = pos > start + 1;
  for (;;) {
    const code = text.charCodeAt(pos);
    if (code === style.close) break;
    if (Number.isNaN(code)) {
      if (style.close === -1) break;
      throw lexer.error('unclosed_quote', {
        after: quotedBefore(lexer, isFirst),
        followedBy: lexer.followedBy(),
      });
    }
    if (code === DOLLAR) break;
    if (code === BACKSLASH) escaped = true;
    pos += code === BACKSLASH && style.hasEscapes ? 2 : 1;
  }
  const end = Math.min(pos, text.length);
  lexer.pos = end;
  const raw = text.slice(start, end);
  const terminator = terminatorAt(lexer, style);
  matchedTerminator(lexer, start, end, lexer.pos);
  return { text: escaped ? unescape(lexer, raw, style.escapes) : raw, terminator };
}

function terminatorAt(lexer: Lexer, style: StringStyle): Piece['terminator'] {
  if (lexer.pos >= lexer.text.length) return 'end';
  if (lexer.code() === style.close) {
    lexer.pos++;
    return 'end';
  }
  const isBraced = lexer.code(1) === BRACE;
  lexer.pos += isBraced ? 2 : 1;
  return isBraced ? '${' : '$';
}

/** The pattern that ends literal text takes the character before it along, and backslashes between. */
function matchedTerminator(lexer: Lexer, textStart: number, terminator: number, end: number): void {
  let start = terminator;
  while (start > textStart && lexer.text.charCodeAt(start - 1) === BACKSLASH) start--;
  lexer.matched(Math.max(textStart, start - 1), end);
}

/** What the reference names as the thing before text whose closing quote is missing. */
function quotedBefore(lexer: Lexer, isFirst: boolean): string {
  if (isFirst) return `'"'`;
  return `'${lexer.matchStart === -1 ? '' : lexer.text.slice(lexer.matchStart, lexer.matchEnd)}'`;
}

/** Reads the tokens of `${...}` up to the brace that closes it. At the end of the text the caller finds out. */
function lexInterpolation(lexer: Lexer): void {
  const depth = lexer.braceCount;
  lexer.braceCount++;
  const first = lexer.tokens.size;
  skipBlank(lexer);
  while (lexer.pos < lexer.text.length) {
    if (lexer.code() === 0x7d && lexer.braceCount - 1 === depth) {
      lexer.braceCount--;
      lexer.after = Token.rBrace;
      lexer.pos++;
      return makeVariable(lexer, first);
    }
    const { size } = lexer.tokens;
    lexer.step();
    if (lexer.tokens.size === size) skipBlank(lexer);
  }
}

function skipBlank(lexer: Lexer): void {
  const start = lexer.pos;
  while (isBlank(lexer.code()) || lexer.code() === 0x0d) lexer.pos++;
  lexer.matched(lexer.pos === start ? -1 : start, lexer.pos);
}

/** `${name}`, `${name[...]}` and `${name.call}` mean `$name`, whatever the name: even a keyword or a number. */
function makeVariable(lexer: Lexer, first: number): void {
  const { kinds, size, values } = lexer.tokens;
  const count = size - first;
  const second = kinds[first + 1];
  if (count === 0 || (count > 1 && second !== Token.dot && second !== Token.lBrack)) return;
  const kind = kinds[first] ?? 0;
  if (kind === Token.boolean) lexer.late.push(booleanAsName(values[first] === 'true'));
  if (kind === Token.number || kind === Token.name || kind === Token.word || isKeyword(kind)) {
    kinds[first] = Token.variable;
  }
}

/** The reference stumbles over these two, and reads no such code. */
function booleanAsName(isTrue: boolean): PuppetError {
  const message = `undefined method \`[]' for ${isTrue ? 'true:TrueClass' : 'false:FalseClass'}`;
  return new PuppetError({ code: 'syntax_error', severity: 'error', message });
}
