import { expect, test } from 'vitest';
import { compareCodePoints } from './code-point-order.ts';

test('characters beyond U+FFFF come last, as in UTF-8', () => {
  const sorted = ['😀', '\uffee', 'b', 'a', 'ab', ''].sort(compareCodePoints);

  expect(sorted).toEqual(['', 'a', 'ab', 'b', '\uffee', '😀']);
});

test('equal texts are equal', () => {
  expect(compareCodePoints('é', 'é')).toBe(0);
});
