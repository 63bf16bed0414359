/** libyaml's reading of scalars: where they end, and what is wrong in them. */

import {
  type Characters,
  isBlank,
  isBlankOrEnd,
  isBreak,
  type Mark,
  syntaxError,
} from './libyaml-characters.ts';
import { skipRestOfLine } from './libyaml-properties.ts';
import type { LibyamlScanner } from './libyaml-scanner.ts';

const ESCAPES = '0abt\tnvfre "/\\N_LP\'';
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const QUOTED = 'while scanning a quoted scalar';
const ESCAPED = 'while parsing a quoted scalar';

export function scanBlockScalar(scanner: LibyamlScanner): void {
  const { characters } = scanner;
  const { mark } = characters;
  characters.skip();
  const increment = scanBlockHeader(characters, mark);
  const outer = scanner.indent;
  const given = increment === 0 ? 0 : outer >= 0 ? outer + increment : increment;
  const indent = skipBlockBreaks(characters, mark, given, outer);
  while (characters.mark.column === indent && !characters.isAtEnd) {
    while (!isBreak(characters.peek()) && !characters.isAtEnd) characters.skip();
    if (!characters.isAtEnd) characters.skipBreak();
    skipBlockBreaks(characters, mark, indent, outer);
  }
}

/** `2-`, `+` and the like. @returns 0 where the indentation is not given */
function scanBlockHeader(characters: Characters, mark: Mark): number {
  const context = 'while scanning a block scalar';
  let increment = 0;
  const isChomped = (): boolean => '+-'.includes(characters.peek() || ' ');
  const chompedFirst = isChomped();
  if (chompedFirst) characters.skip();
  if (/^\d$/.test(characters.peek())) {
    if (characters.peek() === '0')
      throw syntaxError('found an indentation indicator equal to 0', context, mark);
    increment = Number(characters.peek());
    characters.skip();
    if (!chompedFirst && isChomped()) characters.skip();
  }
  skipRestOfLine(characters, context, mark);
  return increment;
}

/** Empty lines. @param given - the indentation, 0 as long as it is not known @returns what it is */
function skipBlockBreaks(characters: Characters, mark: Mark, given: number, outer: number): number {
  let most = 0;
  for (;;) {
    while ((given === 0 || characters.mark.column < given) && characters.peek() === ' ') characters.skip();
    const { column } = characters.mark;
    most = Math.max(most, column);
    if ((given === 0 || column < given) && characters.peek() === '\t') {
      const problem = 'found a tab character where an indentation space is expected';
      throw syntaxError(problem, 'while scanning a block scalar', mark);
    }
    if (!isBreak(characters.peek())) break;
    characters.skipBreak();
  }
  return given === 0 ? Math.max(most, outer + 1, 1) : given;
}

export function scanQuotedScalar({ characters, flowLevel }: LibyamlScanner): void {
  characters.isIndentationFree = true;
  scanQuoted(characters);
  characters.isIndentationFree = flowLevel > 0;
}

function scanQuoted(characters: Characters): void {
  const { mark } = characters;
  const quote = characters.peek();
  characters.skip();
  for (;;) {
    if (characters.documentMarker() !== undefined)
      throw syntaxError('found unexpected document indicator', QUOTED, mark);
    if (characters.isAtEnd) throw syntaxError('found unexpected end of stream', QUOTED, mark);
    scanQuotedText(characters, quote, mark);
    if (characters.peek() === quote) break;
    while (isBlank(characters.peek()) || isBreak(characters.peek())) skipOne(characters);
  }
  characters.skip();
}

/** Up to the next blank or line break, or the quote that ends it all. */
function scanQuotedText(characters: Characters, quote: string, mark: Mark): void {
  while (!isBlankOrEnd(characters.peek())) {
    const character = characters.peek();
    if (character === quote && (quote === '"' || characters.peek(1) !== quote)) return;
    if (quote === '"' && character === '\\') {
      if (scanEscape(characters, mark)) return;
      continue;
    }
    if (character === quote) characters.skip();
    characters.skip();
  }
}

/** @returns true for the end of a line */
function scanEscape(characters: Characters, mark: Mark): boolean {
  const escaped = characters.peek(1);
  if (isBreak(escaped)) {
    characters.skip();
    characters.skipBreak();
    return true;
  }
  const digits = HEX_DIGITS[escaped];
  if (digits === undefined && (escaped === '' || !ESCAPES.includes(escaped)))
    throw syntaxError('found unknown escape character', ESCAPED, mark);
  characters.skip();
  characters.skip();
  if (digits !== undefined) scanHexadecimal(characters, digits, mark);
  return false;
}

function scanHexadecimal(characters: Characters, digits: number, mark: Mark): void {
  let value = 0;
  for (let count = 0; count < digits; count++) {
    const digit = characters.peek();
    // The reference spells it so.
    if (!/^[\da-f]$/i.test(digit))
      throw syntaxError('did not find expected hexdecimal number', ESCAPED, mark);
    value = value * 16 + Number.parseInt(digit, 16);
    characters.skip();
  }
  if ((value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff)
    throw syntaxError('found invalid Unicode character escape code', ESCAPED, mark);
}

export function scanPlainScalar(scanner: LibyamlScanner): void {
  const { characters, flowLevel } = scanner;
  const { mark } = characters;
  const indent = scanner.indent + 1;
  let hasBreak = false;
  for (;;) {
    if (characters.documentMarker() !== undefined || characters.peek() === '#') break;
    const wasAt = characters.mark.index;
    scanPlainText(characters, flowLevel > 0, mark);
    if (characters.mark.index > wasAt) hasBreak = false;
    if (!isBlank(characters.peek()) && !isBreak(characters.peek())) break;
    hasBreak = skipPlainBlanks(characters, { indent, mark, hasBreak });
    if (flowLevel === 0 && characters.mark.column < indent) break;
  }
  if (hasBreak) scanner.isKeyAllowed = true;
}

function scanPlainText(characters: Characters, isFlow: boolean, mark: Mark): void {
  while (!isBlankOrEnd(characters.peek())) {
    const character = characters.peek();
    const next = characters.peek(1);
    if (isFlow && character === ':' && next !== '' && ',?[]{}'.includes(next))
      throw syntaxError("found unexpected ':'", 'while scanning a plain scalar', mark);
    if (character === ':' && isBlankOrEnd(next)) return;
    if (isFlow && ',[]{}'.includes(character)) return;
    characters.skip();
  }
}

/** @returns whether there was a line break */
function skipPlainBlanks(
  characters: Characters,
  { hasBreak, indent, mark }: { readonly hasBreak: boolean; readonly indent: number; readonly mark: Mark },
): boolean {
  let isBroken = hasBreak;
  while (isBlank(characters.peek()) || isBreak(characters.peek())) {
    if (isBroken && characters.mark.column < indent && characters.peek() === '\t') {
      const problem = 'found a tab character that violates indentation';
      throw syntaxError(problem, 'while scanning a plain scalar', mark);
    }
    if (isBreak(characters.peek())) isBroken = true;
    skipOne(characters);
  }
  return isBroken;
}

function skipOne(characters: Characters): void {
  if (isBreak(characters.peek())) characters.skipBreak();
  else characters.skip();
}
