import { expect, test } from 'vitest';
import { containsJson } from './json-contains.ts';

test.each([
  [{ a: 1, b: { c: 2, d: 3 } }, { b: { c: 2 } }, true],
  [{ a: 1 }, { a: 2 }, false],
  [{ a: null }, { b: null }, false],
  [{}, { constructor: {} }, false],
  [['a', 'b', { c: 1, d: 2 }], [{ c: 1 }, 'a'], true],
  [['a'], ['a', 'a'], true],
  [['a'], 'a', false],
  ['a', ['a'], false],
  [[1, 2], [], true],
  [{ a: 1 }, [], false],
  [1, 1, true],
])('%j contains %j: %s', (whole, part, isContained) => {
  expect(containsJson(whole, part)).toBe(isContained);
});
