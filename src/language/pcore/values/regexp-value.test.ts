import { describe, expect, it } from 'vitest';

import { RegexpValue } from './regexp-value.ts';

/** The whole match and its groups; `null` without a match. */
function match(source: string, text: string): readonly (string | undefined)[] | null {
  const found = new RegexpValue(source).exec(text);
  return found === null ? null : [...found];
}

// Expected results are Ruby's.
describe('regular expressions', () => {
  it.each([
    ['a.c', 'a\nc', null],
    ['^b$', 'a\nb\nc', ['b']],
    ['\\Ab', 'a\nb', null],
    ['b\\Z', 'a\nb\n', ['b']],
    ['(?m)a.c', 'a\nc', ['a\nc']],
    ['(?<y>\\d+)-(?<m>\\d+)', '2020-01', ['2020-01', '2020', '01']],
    ['(a)(?<n>b)', 'ab', ['ab', 'b']],
    ['a++b', 'aaab', ['aaab']],
    ['(?>a+)ab', 'aaab', null],
    ['a{,2}b', 'aab', ['aab']],
    ['[]a]+', ']a', [']a']],
    ['[a-c&&[^b]]+', 'abc', ['a']],
    ['(?<p>\\((?:[^()]|\\g<p>)*\\))', 'a(b(c)d)', ['(b(c)d)', '(b(c)d)']],
    ['\\u{41 42}', 'AB', ['AB']],
    ['a\\Kb', 'ab', ['b']],
    ['x(,|\\z)?', 'x', ['x', '']],
    ['x(,|\\z)?', 'xy', ['x', undefined]],
    ['(?:(a*))?b', 'b', ['b', '']],
    ['(?>(a*))?b', 'b', ['b', '']],
    ['(?<n>a*)?b', 'b', ['b', '']],
    ['(a*)?+b', 'aab', ['aab', 'aa']],
    ['(a*)?+b', 'b', ['b', '']],
    ['(a*){0,1}b', 'b', ['b', '']],
    ['(a*){,1}?b', 'b', ['b', undefined]],
    ['(a*)??b', 'b', ['b', undefined]],
    ['((a|b*)?)?c', 'c', ['c', '', '']],
    ['(a)?b', 'b', ['b', undefined]],
    ['[(](a*)?[)]', '()', ['()', '']],
    ['\\((a*)?\\)', '()', ['()', '']],
  ])('matches /%s/ as Ruby does', (source, text, expected) => {
    expect(match(source, text)).toEqual(expected);
  });

  it('takes word characters, digits and spaces for ASCII', () => {
    expect(match('\\w+', 'é_a1')).toEqual(['_a1']);
    expect(match('[\\w-]+', 'é-b')).toEqual(['-b']);
    expect(match('\\s', '\u00a0')).toBeNull();
    expect(match('[[:alpha:]]+', 'éa1')).toEqual(['éa']);
  });

  it('names what is wrong in the words of Ruby', () => {
    expect(() => new RegexpValue('[').compile()).toThrow('premature end of char-class: /[/');
  });

  it.each([
    ['(a)?(?(1)a|b)', 'conditional group'],
    ['(?~ab)', 'absence operator'],
    ['(?a)x', 'character set option'],
  ])('refuses %s by name', (source, name) => {
    expect(() => new RegexpValue(source).compile()).toThrow(name);
  });

  it('finds all matches, empty ones too', () => {
    const found = [...new RegexpValue('a*').matchAll('baac')].map((match) => [match.index, match[0]]);

    expect(found).toEqual([
      [0, ''],
      [1, 'aa'],
      [3, ''],
      [4, ''],
    ]);
  });

  it('escapes slashes when it is printed', () => {
    expect(new RegexpValue('a/b\\/c').toLiteral()).toBe('/a\\/b\\/c/');
  });
});
