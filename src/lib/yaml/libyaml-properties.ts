/** libyaml's reading of directives, anchors and tags. */

import {
  type Characters,
  isAlphabetic,
  isBlank,
  isBlankOrEnd,
  isBreak,
  type Mark,
  syntaxError,
} from './libyaml-characters.ts';

const LONGEST_NUMBER = 9;

/** @returns `YAML 1.2`, `TAG !handle!` */
export function scanDirective(characters: Characters): string {
  const { mark } = characters;
  const context = 'while scanning a directive';
  characters.skip();
  const name = takeAlphabetic(characters);
  if (name === '') throw syntaxError('could not find expected directive name', context, mark);
  if (!isBlankOrEnd(characters.peek()))
    throw syntaxError('found unexpected non-alphabetical character', context, mark);
  if (name !== 'YAML' && name !== 'TAG') throw syntaxError('found unknown directive name', context, mark);
  const value = name === 'YAML' ? scanVersion(characters, mark) : scanTagDirective(characters, mark);
  skipRestOfLine(characters, context, mark);
  return `${name} ${value}`;
}

/** Blanks, a comment and the end of the line. */
export function skipRestOfLine(characters: Characters, context: string, mark: Mark): void {
  skipBlanks(characters);
  if (characters.peek() === '#') while (!isBreak(characters.peek()) && !characters.isAtEnd) characters.skip();
  if (isBreak(characters.peek())) characters.skipBreak();
  else if (!characters.isAtEnd)
    throw syntaxError('did not find expected comment or line break', context, mark);
}

function scanVersion(characters: Characters, mark: Mark): string {
  const context = 'while scanning a %YAML directive';
  skipBlanks(characters);
  const major = scanVersionNumber(characters, mark);
  if (characters.peek() !== '.')
    throw syntaxError("did not find expected digit or '.' character", context, mark);
  characters.skip();
  return `${major}.${scanVersionNumber(characters, mark)}`;
}

function scanVersionNumber(characters: Characters, mark: Mark): number {
  const context = 'while scanning a %YAML directive';
  let digits = '';
  while (/^\d$/.test(characters.peek())) {
    digits += characters.peek();
    if (digits.length > LONGEST_NUMBER)
      throw syntaxError('found extremely long version number', context, mark);
    characters.skip();
  }
  if (digits === '') throw syntaxError('did not find expected version number', context, mark);
  return Number(digits);
}

function scanTagDirective(characters: Characters, mark: Mark): string {
  const context = 'while scanning a %TAG directive';
  skipBlanks(characters);
  const handle = scanTagHandle(characters, true, mark);
  if (!isBlank(characters.peek())) throw syntaxError('did not find expected whitespace', context, mark);
  skipBlanks(characters);
  scanTagUri(characters, { allowsFlow: true, isDirective: true, isBegun: false, mark });
  if (!isBlankOrEnd(characters.peek()))
    throw syntaxError('did not find expected whitespace or line break', context, mark);
  return handle;
}

export function scanAnchor(characters: Characters, indicator: '*' | '&'): void {
  const { mark } = characters;
  characters.skip();
  const name = takeAlphabetic(characters);
  const next = characters.peek();
  if (name !== '' && (isBlankOrEnd(next) || '?:,]}%@`'.includes(next))) return;
  const context = indicator === '&' ? 'while scanning an anchor' : 'while scanning an alias';
  throw syntaxError('did not find expected alphabetic or numeric character', context, mark);
}

/** @returns the handle, empty for a tag that needs none */
export function scanTag(characters: Characters, isFlow: boolean): string {
  const { mark } = characters;
  const handle =
    characters.peek(1) === '<' ? scanVerbatim(characters, mark) : scanShorthand(characters, mark);
  const next = characters.peek();
  if (!isBlankOrEnd(next) && !(isFlow && next === ','))
    throw syntaxError('did not find expected whitespace or line break', 'while scanning a tag', mark);
  return handle;
}

function scanVerbatim(characters: Characters, mark: Mark): string {
  characters.skip();
  characters.skip();
  scanTagUri(characters, { allowsFlow: true, isDirective: false, isBegun: false, mark });
  if (characters.peek() !== '>')
    throw syntaxError("did not find the expected '>'", 'while scanning a tag', mark);
  characters.skip();
  return '';
}

function scanShorthand(characters: Characters, mark: Mark): string {
  const handle = scanTagHandle(characters, false, mark);
  const isWhole = handle.length > 1 && handle.endsWith('!');
  scanTagUri(characters, { allowsFlow: false, isDirective: false, isBegun: !isWhole, mark });
  return isWhole ? handle : '!';
}

function scanTagHandle(characters: Characters, isDirective: boolean, mark: Mark): string {
  const context = isDirective ? 'while scanning a tag directive' : 'while scanning a tag';
  if (characters.peek() !== '!') throw syntaxError("did not find expected '!'", context, mark);
  characters.skip();
  let handle = `!${takeAlphabetic(characters)}`;
  if (characters.peek() === '!') {
    handle += '!';
    characters.skip();
  } else if (isDirective && handle !== '!') {
    throw syntaxError("did not find expected '!'", 'while parsing a tag directive', mark);
  }
  return handle;
}

interface TagUri {
  /** Brackets and commas belong to it. */
  readonly allowsFlow: boolean;
  readonly isDirective: boolean;
  /** Something of it is there already. */
  readonly isBegun: boolean;
  readonly mark: Mark;
}

function scanTagUri(characters: Characters, { allowsFlow, isDirective, isBegun, mark }: TagUri): void {
  const context = isDirective ? 'while parsing a %TAG directive' : 'while parsing a tag';
  let isEmpty = !isBegun;
  for (;;) {
    const character = characters.peek();
    const isUri = isAlphabetic(character) || (character !== '' && ";/?:@&=+$.%!~*'()".includes(character));
    if (!isUri && !(allowsFlow && character !== '' && ',[]'.includes(character))) break;
    if (character === '%') {
      if (!/^[\da-f]{2}$/i.test(characters.peek(1) + characters.peek(2)))
        throw syntaxError('did not find URI escaped octet', context, mark);
      characters.skip();
      characters.skip();
    }
    characters.skip();
    isEmpty = false;
  }
  if (isEmpty) throw syntaxError('did not find expected tag URI', context, mark);
}

function takeAlphabetic(characters: Characters): string {
  let text = '';
  while (isAlphabetic(characters.peek())) {
    text += characters.peek();
    characters.skip();
  }
  return text;
}

function skipBlanks(characters: Characters): void {
  while (isBlank(characters.peek())) characters.skip();
}
