import { expect, test } from 'vitest';
import { PosixPattern } from './posix-pattern.ts';

test.each([
  ['exp[0-9]', 'exp1', true],
  ['(?i)EXP', 'exp1', true],
  ['(?i)^[A-C]+$', 'abcABC', true],
  ['\\mexp', 'an exp1', true],
  ['\\mxp', 'an exp1', false],
  ['exp1\\M', 'exp1 an', true],
  ['[[:<:]]an[[:>:]]', 'exp1 an', true],
  ['\\yp1', 'exp1', false],
  ['[[:alpha:]]+1', 'exp1', true],
  ['a.b', 'a\nb', true],
  ['(?n)a.b', 'a\nb', false],
  ['(?w)^b$', 'a\nb\nc', true],
  ['^b', 'a\nb', false],
  ['^(web|db)\\d{2,3}\\.', 'db123.example.net', true],
  ['^(web|db)\\d{2,3}\\.', 'db1234.example.net', false],
  ['^(a|b)*?$', '', true],
  ['^(a*)*$', 'aaab', false],
  ['[]a]{2}', ']a', true],
  ['[^]a]', ']a', false],
  ['[\\d.-]+$', 'x-1.5', true],
  ['^a{,3}$', 'a{,3}', true],
  ['***=a.b', 'a.b', true],
  ['***=a.b', 'axb', false],
  ['(?x) a b # two letters', 'ab', true],
  ['(?#all)', '', true],
  ['^.$', '😀', true],
  ['\\u00e4', 'ä', true],
  ['\\x61$', 'a', true],
  ['\\Aa\\Z', 'a', true],
  ['|', 'x', true],
])('%s on %j: %s', (pattern, text, matches) => {
  expect(new PosixPattern(pattern).test(text)).toBe(matches);
});

test.each([
  ['(', 'parentheses () not balanced'],
  ['a)', 'parentheses () not balanced'],
  ['[', 'brackets [] not balanced'],
  ['[z-a]', 'invalid character range'],
  ['[[:nope:]]', 'invalid character class'],
  ['*', 'quantifier operand invalid'],
  ['a**', 'quantifier operand invalid'],
  ['^*', 'quantifier operand invalid'],
  ['^(?i)EXP', 'quantifier operand invalid'],
  ['a{300}', 'invalid repetition count(s)'],
  ['a{2,1}', 'invalid repetition count(s)'],
  ['a{2', 'braces {} not balanced'],
  ['\\', 'invalid escape \\ sequence'],
  ['\\q', 'invalid escape \\ sequence'],
  ['(?k)', 'invalid embedded option'],
  ['(a)\\1', 'back references are not supported'],
  ['(?=a)', 'look-around constraints are not supported'],
  ['((a{255}){255}){255}', 'regular expression is too complex'],
  ['((){255}){255}', 'regular expression is too complex'],
  ['('.repeat(1000), 'regular expression is too complex'],
])('%s is refused in the words of PostgreSQL', (pattern, message) => {
  expect(() => new PosixPattern(pattern)).toThrow(message);
});

test.each(['(.*a){25}$', '(a+)+$', '(a|aa)+$', '^(a|a)*$', '.*.*.*.*.*.*x$', '(?i)^(A*)*$'])(
  '%s takes no longer than the text is long',
  (pattern) => {
    const text = `${'a'.repeat(20_000)}b`;

    expect(new PosixPattern(pattern).test(text)).toBe(false);
  },
);

test('a pattern with very many states is matched with few of them in memory', () => {
  const random = (index: number): string => 'ab'.charAt(Math.trunc(index * index * 0.61) % 2);
  const text = Array.from({ length: 5000 }, (_, index) => random(index)).join('');

  expect(new PosixPattern('a.{200}c').test(text)).toBe(false);
  expect(new PosixPattern('a.{200}c').test(`${text}a${text.slice(0, 200)}c`)).toBe(true);
});
