import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { fnmatch } from './fnmatch.ts';

const hasRuby = spawnSync('ruby', ['-v']).status === 0;

describe.skipIf(!hasRuby)('compared with Ruby (skipped without one)', () => {
  test('patterns match the same names', () => {
    const patterns = [
      '.git',
      '*.rb',
      '*',
      '.*',
      '?',
      '??',
      '[a-c]*',
      '[!a-c]*',
      '[^a-c]*',
      'a\\*b',
      'a*b',
      '{a,b}',
      '[',
      '[]',
      '[a',
      '[a-]',
      '[-a]',
      '[\\]]',
      '**',
      'a**b',
      '',
      '\\.git',
      '[.]git',
      '?git',
      'ä*',
      '[ä-ü]',
      'A',
      '[c-a]',
      'a.b',
      '\\',
      '*\\',
      '[a-c-e]',
      '(a|b)',
      'a+',
      '^a$',
      '[!]',
      '[^]a]',
    ];
    const names = [
      '.git',
      'git',
      'a',
      'b',
      'ab',
      'a*b',
      'axb',
      'a.rb',
      '.a.rb',
      '{a,b}',
      '[',
      '[]',
      '-',
      ']',
      'ä',
      'ö',
      'äx',
      'A',
      'a.b',
      'axxb',
      '\\',
      'c',
      'd',
      'e',
      'a+',
      'aa',
      '^a$',
      '(a|b)',
      '[a',
      '😀',
      'a\nb',
      'x]',
      '!]',
    ];
    const script =
      'require "json"; p, n = JSON.parse(STDIN.read); puts JSON.dump(p.map { |x| n.map { |y| File.fnmatch?(x, y) } })';

    const expected: unknown = JSON.parse(
      execFileSync('ruby', ['-e', script], {
        input: JSON.stringify([patterns, names]),
        encoding: 'utf8',
        env: { LANG: 'C.UTF-8', PATH: '/usr/bin:/bin' },
      }),
    );
    const actual = patterns.map((pattern) => names.map(fnmatch(pattern)));

    const show = (table: unknown) =>
      patterns.map(
        (pattern, i) => `${pattern}: ${names.filter((_, j) => (table as boolean[][])[i]?.[j]).join(' ')}`,
      );
    expect(show(actual)).toEqual(show(expected));
  });
});

test('a pattern made to be slow is fast', () => {
  expect(fnmatch(`${'*a'.repeat(100)}b`)('a'.repeat(250))).toBe(false);
});
