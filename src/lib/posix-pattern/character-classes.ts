/** The classes of characters that patterns name, in ASCII. */

import type { CodeRange } from './pattern-node.ts';

const digit: readonly CodeRange[] = [[0x30, 0x39]];
const upper: readonly CodeRange[] = [[0x41, 0x5a]];
const lower: readonly CodeRange[] = [[0x61, 0x7a]];
const alpha = [...upper, ...lower];
const alnum = [...digit, ...alpha];

export const wordRanges: readonly CodeRange[] = [...alnum, [0x5f, 0x5f]];
export const spaceRanges: readonly CodeRange[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
];
export const digitRanges = digit;

/** `[:alpha:]` */
export const namedClasses: ReadonlyMap<string, readonly CodeRange[]> = new Map<string, readonly CodeRange[]>([
  ['alpha', alpha],
  ['digit', digit],
  ['alnum', alnum],
  ['upper', upper],
  ['lower', lower],
  ['word', wordRanges],
  ['space', spaceRanges],
  [
    'blank',
    [
      [0x09, 0x09],
      [0x20, 0x20],
    ],
  ],
  [
    'punct',
    [
      [0x21, 0x2f],
      [0x3a, 0x40],
      [0x5b, 0x60],
      [0x7b, 0x7e],
    ],
  ],
  ['xdigit', [...digit, [0x41, 0x46], [0x61, 0x66]]],
  [
    'cntrl',
    [
      [0x00, 0x1f],
      [0x7f, 0x7f],
    ],
  ],
  ['print', [[0x20, 0x7e]]],
  ['graph', [[0x21, 0x7e]]],
]);

const lastCodePoint = 0x10_ffff;

/** All other characters. */
export function complement(ranges: readonly CodeRange[]): readonly CodeRange[] {
  const others: CodeRange[] = [];
  let next = 0;
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    if (from > next) others.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (next <= lastCodePoint) others.push([next, lastCodePoint]);
  return others;
}
