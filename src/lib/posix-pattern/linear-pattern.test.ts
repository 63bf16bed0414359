import { describe, expect, test } from 'vitest';
import { LinearPattern } from './linear-pattern.ts';

const patterns = [
  '',
  'a',
  '^web\\d{1,3}\\.(example|test)\\.net$',
  '^(?:a|b)*?c',
  '[^a-c]x',
  '[\\w.-]+@x',
  '\\/puppet\\/v3\\/(catalog|node)\\/([^/]+)$',
  'a{2,}b?',
  '(a|)b',
  'x.y',
  '\\s+$',
  '[\\]\\\\-]',
  '[^]z',
  '\\x41\\u0042',
  '(?<name>a+)b',
  '\\.',
  '{',
  'a|b|^c$',
  '[a\\-z]',
  '(a+)+$',
  '\\D\\S\\W',
  '[*+?.()|^$]',
  '^$',
  '-',
  '#',
  ' a',
  '_',
  ']',
  '}',
  'é',
  '[é-ü]',
];
const alphabet = [
  'a',
  'b',
  'c',
  'x',
  'y',
  'z',
  '1',
  '0',
  '.',
  '-',
  '/',
  '\n',
  ' ',
  '_',
  'A',
  'B',
  '@',
  ']',
  '\\',
  '{',
  'é',
  '#',
];

/** Texts of growing length, and some that the patterns are about. */
function texts(): readonly string[] {
  const pairs = alphabet.flatMap((first) => alphabet.map((second) => first + second));
  const longer = pairs.map((pair, index) => pair + (pairs[(index * 7 + 3) % pairs.length] ?? ''));
  return [
    '',
    ...alphabet,
    ...pairs,
    ...longer,
    'web12.example.net',
    'web1234.example.net',
    '/puppet/v3/node/a',
    'aab',
    'aaac',
    'w-x@x',
  ];
}

describe('LinearPattern', () => {
  test.each(patterns.flatMap((source) => ['', 'i', 's', 'is'].map((flags) => [source, flags] as const)))(
    'finds what JavaScript finds: /%s/%s',
    (source, flags) => {
      const pattern = new RegExp(source, flags);
      const linear = new LinearPattern(pattern);

      expect(linear.isLinear).toBe(true);
      expect(texts().filter((text) => linear.test(text))).toEqual(
        texts().filter((text) => pattern.test(text)),
      );
    },
  );

  test.each([
    '(?=a)',
    '(?!a)b',
    '(?<=a)b',
    '(a)\\1',
    '\\bword',
    '\\p{L}',
    '[\\D]',
    'a{1,300}',
    '[]',
    '\\cA',
    '(?i:a)',
  ])('leaves to JavaScript what may differ: /%s/', (source) => {
    const pattern = new RegExp(source);

    const linear = new LinearPattern(pattern);

    expect(linear.isLinear).toBe(false);
    expect(linear.test('a word b')).toBe(pattern.test('a word b'));
  });

  test.each(['(.*a){25}$', '^(a+)+$', '(x+x+)+y', '^(a|aa)+$'])(
    'ends soon where JavaScript takes years: /%s/',
    (source) => {
      const linear = new LinearPattern(new RegExp(source));

      expect(linear.exec(`${'ax'.repeat(2000)}!`)).toBeNull();
    },
  );

  test('captures as JavaScript does', () => {
    const linear = new LinearPattern(/^\/(a|b)\/([^/]+)$/);

    expect([...(linear.exec('/b/name') ?? [])]).toEqual(['/b/name', 'b', 'name']);
  });
});
