import { expect, test } from 'vitest';
import { valueText, visibleText } from './visible-text.ts';

test('what hides or turns text around is written out', () => {
  expect(visibleText('ab\u202Ecd\u001B[31m')).toBe('ab\\u{202E}cd\\u{1B}[31m');
  expect(visibleText('two\nlines\tand a tab')).toBe('two\nlines\tand a tab');
});

test('values are texts as they are, and JSON otherwise', () => {
  expect(valueText('text')).toBe('text');
  expect(valueText({ a: [1, null] })).toBe('{"a":[1,null]}');
  expect(valueText(undefined)).toBe('');
});
