/** Heredocs: `@(END)`, `@("END":json/tn)`, with the text on the lines below. */

import { lineStarts } from '../locator.ts';
import { isBlank } from './char.ts';
import { lexString, type StringStyle } from './lex-string.ts';
import { Lexer } from './lexer.ts';
import { unescape } from './string-escapes.ts';
import { Token } from './token.ts';

/** Grammar: `@(endtag[:syntax][/escapes])`; the first part may be in double quotes. */
const TAG =
  /@\(([^:/\r\n)]+)(?::[\p{Zs}\t]*([a-z][a-zA-Z0-9_+]+)[\p{Zs}\t]*)?(?:\/((?:[a-zA-Z0-9_]|\$)*)[\p{Zs}\t]*)?\)/u;

const ALL_ESCAPES = 'trnsuL$';

interface HeredocTag {
  readonly endTag: string;
  readonly syntax: string;
  readonly interpolates: boolean;
  readonly style: StringStyle;
}

/** The text of a heredoc, and where it stands in the file. */
interface HeredocText {
  readonly text: string;
  /** Where the lines start in the outer text, and how much was cut off the left of each. */
  readonly start: number;
  readonly margins: readonly number[];
  /** Where the line after the end tag starts. */
  readonly next: number;
}

/**
 * Reads a heredoc: its tag here, its text from the next line (or behind the heredocs that began on this line
 * before). Its tokens follow each other: `heredoc`, then those of a string.
 */
export function lexHeredoc(lexer: Lexer): void {
  const start = lexer.pos;
  const size = lexer.tokens.size;
  const tag = lexTag(lexer);
  const afterTag = lexer.pos;
  lexer.pushPart(Token.heredoc, start, afterTag - start, tag.syntax);
  try {
    const content = findText(lexer, tag.endTag);
    lexer.newlineJump = content.next;
    const inner = new Lexer(content.text, lexer, offsetMap(lexer, content));
    lexContent(inner, tag);
  } catch (error) {
    lexer.tokens.truncate(size);
    throw error;
  }
  if (lexer.stringDepth === 0) lexer.after = lexer.tokens.kinds.at(-1) ?? -1;
  lexer.pos = afterTag;
}

function lexTag(lexer: Lexer): HeredocTag {
  const close = lexer.text.indexOf(')', lexer.pos);
  if (close === -1) throw lexer.error('heredoc_unclosed_parenthesis', { followedBy: lexer.followedBy() });
  const match = TAG.exec(lexer.text.slice(lexer.pos, close + 1));
  lexer.pos = close + 1;
  if (match === null) throw lexer.error('heredoc_invalid_syntax', {});
  const [, written = '', syntax = '', flags] = match;
  const quoted = /^"(.*)"$/.exec(written.trim());
  const endTag = (quoted?.[1] ?? written).trim();
  if (endTag === '') throw lexer.error('heredoc_empty_endtag', {});
  return { endTag, syntax, interpolates: quoted !== null, style: styleOf(lexer, flags) };
}

function styleOf(lexer: Lexer, flags: string | undefined): StringStyle {
  const chars = (flags === '' ? ALL_ESCAPES : (flags ?? '')).split('');
  const known = new Set(chars);
  if (known.size !== chars.length) throw lexer.error('heredoc_multiple_at_escapes', { escapes: chars });
  const invalid = chars.find((char) => !ALL_ESCAPES.includes(char));
  if (invalid !== undefined) throw lexer.error('heredoc_invalid_escape', { actual: invalid });
  if (flags !== undefined) known.add('\\');
  return { close: -1, escapes: { known, warnsOfOthers: false }, hasEscapes: known.has('$') };
}

function findText(lexer: Lexer, endTag: string): HeredocText {
  const { text } = lexer;
  const start = lexer.newlineJump === -1 ? text.indexOf('\n', lexer.pos) + 1 : lexer.newlineJump;
  if (start === 0) throw lexer.error('heredoc_without_text', {});
  const lines: string[] = [];
  let at = start;
  while (at < text.length) {
    const newline = text.indexOf('\n', at);
    const next = newline === -1 ? text.length : newline + 1;
    const line = text.slice(at, next);
    const end = matchEndTag(line, endTag);
    if (end !== undefined) return { ...cutMargins(lines, end), start, next };
    lines.push(line);
    at = next;
  }
  lexer.pos = start;
  throw lexer.error('heredoc_without_end_tagged_line', {});
}

interface EndLine {
  readonly margin: string;
  readonly trimsBreak: boolean;
}

/**
 * The margin and trim markers of a line that ends with the tag, `undefined` when it doesn't. Grammar:
 * `blank* ('|' blank*)? ('-' blank*)? endtag blank* \r? (\n | end)`; anything may precede it.
 */
function matchEndTag(line: string, endTag: string): EndLine | undefined {
  let end = line.length;
  if (line.charCodeAt(end - 1) === 0x0a) end--;
  if (line.charCodeAt(end - 1) === 0x0d) end--;
  end = skipBlankBack(line, end);
  if (!line.startsWith(endTag, end - endTag.length) || end < endTag.length) return undefined;
  let at = end - endTag.length;
  let blank = skipBlankBack(line, at);
  const trimsBreak = line[blank - 1] === '-';
  if (trimsBreak) {
    at = blank - 1;
    blank = skipBlankBack(line, at);
  }
  if (line[blank - 1] !== '|') return { margin: '', trimsBreak };
  return { margin: line.slice(skipBlankBack(line, blank - 1), blank - 1), trimsBreak };
}

function skipBlankBack(line: string, from: number): number {
  let at = from;
  while (at > 0 && isBlank(line.charCodeAt(at - 1))) at--;
  return at;
}

/** Lines that don't start with the margin stay as they are. */
function cutMargins(lines: readonly string[], end: EndLine): Pick<HeredocText, 'text' | 'margins'> {
  const { margin } = end;
  const margins = lines.map((line) => (line.startsWith(margin) ? margin.length : 0));
  const text = lines.map((line, index) => line.slice(margins[index])).join('');
  return { text: end.trimsBreak ? text.replace(/\r?\n$/, '') : text, margins };
}

/** From an offset in the cut text to one in the file. The very beginning is that of the first line, margin included. */
function offsetMap(lexer: Lexer, { text, start, margins }: HeredocText): (offset: number) => number {
  if (margins.every((margin) => margin === 0)) return (offset) => lexer.toFile(start + offset);
  const starts = lineStarts(text);
  return (offset) => {
    if (offset === 0) return lexer.toFile(start);
    let cut = 0;
    for (let line = 0; line < starts.length && (starts[line] ?? 0) <= offset; line++)
      cut += margins[line] ?? 0;
    return lexer.toFile(start + offset + cut);
  };
}

function lexContent(inner: Lexer, tag: HeredocTag): void {
  if (tag.interpolates) return lexString(inner, 0, tag.style);
  // Without interpolation the text is one piece: `$` is a character as any other.
  inner.pos = inner.text.length;
  const value = inner.text.includes('\\') ? unescape(inner, inner.text, tag.style.escapes) : inner.text;
  inner.push(Token.string, 0, inner.text.length, value);
}
