import { expect, test } from 'vitest';
import { parseSeconds, renderSeconds } from './duration.ts';

test('a length of time is a number with a unit, seconds without one', () => {
  expect(['90', '90s', '30m', '12h', '7d', '5y'].map(parseSeconds)).toEqual([
    90, 90, 1800, 43_200, 604_800, 157_680_000,
  ]);
  expect(['', '5w', '-1', '1.5h', '1 h', '1h30m', '9999999999'].map(parseSeconds)).toEqual(
    Array.from({ length: 7 }),
  );
});

test.each([
  [0, '0s'],
  [90, '90s'],
  [1800, '30m'],
  [86_400, '1d'],
  [604_800, '7d'],
  [157_680_000, '5y'],
])('%i seconds are written as %s, and read back', (seconds, text) => {
  expect(renderSeconds(seconds)).toBe(text);
  expect(parseSeconds(text)).toBe(seconds);
});
