import { expect, test } from 'vitest';
import { foldedDiff, lineDiff } from './line-diff.ts';

const shown = (left: string, right: string) => lineDiff(left, right).map(({ sign, text }) => sign + text);

test('lines on both sides stay in order', () => {
  expect(shown('a\nb\nc', 'a\nx\nc')).toEqual([' a', '-b', '+x', ' c']);
  expect(shown('a\nb', 'b\nc')).toEqual(['-a', ' b', '+c']);
  expect(shown('', 'a')).toEqual(['-', '+a']);
});

test('texts that are too long are shown whole', () => {
  const long = 'a\n'.repeat(2000);

  expect(lineDiff(long, 'a')).toHaveLength(2002);
});

test('lines far from any difference are left out', () => {
  const lines = lineDiff('1\n2\n3\n4\n5\n6\n7', '1\n2\n3\n4\n5\n6\n8');

  expect(foldedDiff(lines, 1).map((line) => line && line.sign + line.text)).toEqual([
    undefined,
    ' 6',
    '-7',
    '+8',
  ]);
});
