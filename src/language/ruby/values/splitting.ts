/** `String#split` as Ruby's. */

import { RegexpValue } from '../../pcore/index.ts';

const SPACES = /[ \t\n\v\f\r\0]+/;

/** @param limit - 0: as many as there are, without empty ones at the end; negative: with them */
export function splitText(text: string, separator: string | RegexpValue | null, limit: number): string[] {
  if (text === '') return [];
  if (limit === 1) return [text];
  const parts = new Parts(limit);
  if (separator === null || separator === ' ') splitAtSpaces(text, parts);
  else if (separator instanceof RegexpValue) splitAtPattern(text, separator, parts);
  else splitAtText(text, separator, parts);
  return parts.finished();
}

class Parts {
  readonly items: string[] = [];
  private readonly limit: number;
  private count = 1;

  constructor(limit: number) {
    this.limit = limit;
  }

  get keepsAll(): boolean {
    return this.limit !== 0;
  }

  /** @returns whether this was the last but one */
  isFull(): boolean {
    if (this.limit <= 0) return false;
    this.count += 1;
    return this.count >= this.limit;
  }

  finished(): string[] {
    if (this.limit === 0) while (this.items.at(-1) === '') this.items.pop();
    return this.items;
  }
}

function splitAtSpaces(text: string, parts: Parts): void {
  let rest = text.replace(/^[ \t\n\v\f\r\0]+/, '');
  for (;;) {
    const found = SPACES.exec(rest);
    if (found === null) break;
    parts.items.push(rest.slice(0, found.index));
    rest = rest.slice(found.index + found[0].length);
    if (parts.isFull()) break;
  }
  if (rest !== '' || parts.keepsAll) parts.items.push(rest);
}

function splitAtText(text: string, separator: string, parts: Parts): void {
  if (separator === '') {
    splitCharacters(text, parts);
    return;
  }
  let position = 0;
  for (;;) {
    const found = text.indexOf(separator, position);
    if (found === -1) break;
    parts.items.push(text.slice(position, found));
    position = found + separator.length;
    if (parts.isFull()) break;
  }
  parts.items.push(text.slice(position));
}

function splitCharacters(text: string, parts: Parts): void {
  let position = 0;
  for (const character of text) {
    parts.items.push(character);
    position += character.length;
    if (parts.isFull()) break;
  }
  if (position < text.length || parts.keepsAll) parts.items.push(text.slice(position));
}

function splitAtPattern(text: string, pattern: RegexpValue, parts: Parts): void {
  const expression = pattern.compile();
  const step = (index: number) => ((text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1);
  let begin = 0;
  let start = 0;
  let wasEmpty = false;
  while (start <= text.length) {
    expression.lastIndex = start;
    const found = expression.exec(text);
    if (found === null) break;
    const end = found.index;
    if (start === end && found[0] === '') {
      if (!wasEmpty) {
        start += step(start);
        wasEmpty = true;
        continue;
      }
      parts.items.push(text.slice(begin, begin + step(begin)));
      begin = start;
    } else {
      parts.items.push(text.slice(begin, end));
      begin = end + found[0].length;
      start = begin;
    }
    wasEmpty = false;
    for (const group of found.slice(1)) if (group !== undefined) parts.items.push(group);
    if (parts.isFull()) break;
  }
  if (begin < text.length || parts.keepsAll) parts.items.push(text.slice(begin));
}
