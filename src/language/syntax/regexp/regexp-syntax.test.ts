import { describe, expect, it } from 'vitest';

import { regexpMistake } from './regexp-syntax.ts';

// Expected results are Ruby's.
describe('mistakes in regular expressions', () => {
  it.each([
    ['(a', 'end pattern with unmatched parenthesis'],
    ['a)', 'unmatched close parenthesis'],
    ['(?z)', 'undefined group option'],
    ['a{2,1}', 'upper is smaller than lower in repeat range'],
    ['a|*', 'target of repeat operator is not specified'],
    ['[\\d-a]', 'unmatched range specifier in char-class'],
    ['[[:foo:]]', 'invalid POSIX bracket type'],
    ['(?<=a*)', 'invalid pattern in look-behind'],
    ['(?<!(a))', 'invalid pattern in look-behind'],
    ['\\k<x>', 'undefined name <x> reference'],
    ['(?<x>a)\\1', 'numbered backref/call is not allowed. (use name)'],
    ['(a)\\2', 'invalid backref number/name'],
    ['\\u{110000}', 'invalid Unicode range'],
    ['\\xc3', 'too short escaped multibyte character'],
  ])('refuses /%s/', (source, expected) => {
    expect(regexpMistake(source)).toBe(expected);
  });

  it.each([
    '[]a]',
    '[a-[b]]',
    '[[:alpha:]-]',
    'a**',
    'a{,}',
    '^*',
    '(?<=a|bc)',
    '(?<=(?:a|bc))',
    '(?<x>a\\g<x>?)',
    '(?x) a # (',
    '\\10',
    '\\xc3\\xa9',
  ])('takes /%s/', (source) => {
    expect(regexpMistake(source)).toBeUndefined();
  });

  it('refuses groups and classes that nest without end', () => {
    expect(regexpMistake('('.repeat(50_000))).toBe('parse depth limit over');
    expect(regexpMistake('['.repeat(50_000))).toBe('parse depth limit over');
  });
});
