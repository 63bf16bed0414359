/** What follows a backslash, outside and inside of brackets. */

import { complement, digitRanges, spaceRanges, wordRanges } from './character-classes.ts';
import { PatternError } from './pattern-error.ts';
import type { Assertion, CodeRange } from './pattern-node.ts';
import type { PatternReader } from './pattern-reader.ts';

export type Escape =
  | { readonly kind: 'ranges'; readonly ranges: readonly CodeRange[] }
  | { readonly kind: 'character'; readonly code: number }
  | { readonly kind: 'assertion'; readonly assertion: Assertion };

const classes: ReadonlyMap<string, readonly CodeRange[]> = new Map([
  ['d', digitRanges],
  ['s', spaceRanges],
  ['w', wordRanges],
  ['D', complement(digitRanges)],
  ['S', complement(spaceRanges)],
  ['W', complement(wordRanges)],
]);

const assertions: ReadonlyMap<string, Assertion> = new Map([
  ['A', 'start'],
  ['Z', 'end'],
  ['m', 'word-start'],
  ['M', 'word-end'],
  ['y', 'word-edge'],
  ['Y', 'no-word-edge'],
]);

const characters: ReadonlyMap<string, number> = new Map([
  ['a', 0x07],
  ['b', 0x08],
  ['B', 0x5c],
  ['e', 0x1b],
  ['f', 0x0c],
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
  ['v', 0x0b],
]);

/** Reads on behind the backslash. @throws PatternError */
export function readEscape(reader: PatternReader): Escape {
  const letter = reader.next();
  const ranges = classes.get(letter);
  if (ranges !== undefined) return { kind: 'ranges', ranges };
  const assertion = assertions.get(letter);
  if (assertion !== undefined) return { kind: 'assertion', assertion };
  return { kind: 'character', code: characterCode(letter, reader) };
}

function characterCode(letter: string, reader: PatternReader): number {
  const known = characters.get(letter);
  if (known !== undefined) return known;
  switch (letter) {
    case 'c':
      return (reader.next().codePointAt(0) ?? fail()) & 0x1f;
    case 'u':
      return hexadecimal(reader, 4);
    case 'U':
      return hexadecimal(reader, 8);
    case 'x':
      return codePoint(reader.takeWhile(/[0-9a-fA-F]/, 255));
    case '0':
      return Number.parseInt(`0${reader.takeWhile(/[0-7]/, 2)}`, 8);
    default:
      if (/[1-9]/.test(letter)) throw new PatternError('back references are not supported');
      if (letter === '' || /[A-Za-z]/.test(letter)) fail();
      return letter.codePointAt(0) ?? fail();
  }
}

function hexadecimal(reader: PatternReader, length: number): number {
  const digits = reader.takeWhile(/[0-9a-fA-F]/, length);
  return digits.length === length ? codePoint(digits) : fail();
}

function codePoint(digits: string): number {
  const code = Number.parseInt(digits, 16);
  return code <= 0x10_ffff ? code : fail();
}

function fail(): never {
  throw new PatternError('invalid escape \\ sequence');
}
