import { expect, test } from 'vitest';
import { withoutTrailingSlashes } from './trailing-slashes.ts';

test.each([
  ['https://forge.example.com//', 'https://forge.example.com'],
  ['/a/b/', '/a/b'],
  ['a//b', 'a//b'],
  ['///', ''],
  ['', ''],
])('%j is %j', (text, expected) => {
  expect(withoutTrailingSlashes(text)).toBe(expected);
});
