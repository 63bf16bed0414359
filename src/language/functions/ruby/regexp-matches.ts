/** Every match of a Ruby regular expression in a text. */

import type { RegexpValue } from '../../pcore/index.ts';

const searchers = new WeakMap<RegExp, RegExp>();

/** The matches from left to right, none overlapping; an empty match moves on by one character. */
export function* matchesIn(pattern: RegexpValue, text: string): Generator<RegExpExecArray, void, undefined> {
  let offset = 0;
  while (offset <= text.length) {
    const match = matchFrom(pattern, text, offset);
    if (match === null) return;
    yield match;
    const end = match.index + match[0].length;
    offset = match[0] === '' ? end + characterLength(text, end) : end;
  }
}

/** The first match that begins at `offset` or later. */
export function matchFrom(pattern: RegexpValue, text: string, offset: number): RegExpExecArray | null {
  const searcher = searcherFor(pattern.compile());
  searcher.lastIndex = offset;
  return searcher.exec(text);
}

/** The length, in UTF-16 units, of the character at `offset`; 1 at the end. */
export function characterLength(text: string, offset: number): number {
  return (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
}

/** The pattern with the flag that makes it search from `lastIndex` on. */
function searcherFor(pattern: RegExp): RegExp {
  const known = searchers.get(pattern);
  if (known !== undefined) return known;
  // Some translated patterns are of a subclass that keeps what the translation added: its constructor copies that.
  const Pattern = pattern.constructor as RegExpConstructor;
  const searcher = new Pattern(pattern, `${pattern.flags.replace('g', '')}g`);
  searchers.set(pattern, searcher);
  return searcher;
}
