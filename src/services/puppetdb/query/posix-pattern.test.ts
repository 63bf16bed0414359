import { expect, test } from 'vitest';
import { translatePosixPattern } from './posix-pattern.ts';

test.each([
  ['exp[0-9]', 'exp1', true],
  ['(?i)EXP', 'exp1', true],
  ['\\mexp', 'an exp1', true],
  ['\\mxp', 'an exp1', false],
  ['[[:alpha:]]+1', 'exp1', true],
  ['a.b', 'a\nb', true],
])('%s on %j: %s', (pattern, text, matches) => {
  expect(new RegExp(translatePosixPattern(pattern), 's').test(text)).toBe(matches);
});

test.each([
  ['(', 'ERROR: invalid regular expression: parentheses () not balanced'],
  ['[', 'ERROR: invalid regular expression: brackets [] not balanced'],
  ['*', 'ERROR: invalid regular expression: quantifier operand invalid'],
  ['^(?i)EXP', 'ERROR: invalid regular expression: quantifier operand invalid'],
])('%s is refused in the words of the database', (pattern, message) => {
  expect(() => translatePosixPattern(pattern)).toThrow(message);
});
