import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json.ts';
import { type Condition, compileCondition, decodeCondition, explainCondition } from './condition.ts';
import { javaPattern } from './java-pattern.ts';

function matches(condition: unknown, fact: JsonObject = {}, name = 'foo.example.com'): boolean {
  const trusted = {
    certname: name,
    extensions: { pp_role: 'compile_master', '1.3.6.1.4.1.34380.1.2.1': 'x' },
  };
  return compileCondition(decodeCondition(condition))({ name, fact, trusted });
}

/** Stations and ships, as the reference's own tests have them. */
const station = { holodecks: '14', bars: '1', warp_cores: '0', docking_pylons: '3' };
const ship = { bars: '1', holodecks: '5', warp_cores: '1', docking_pylons: '0' };

describe('A condition', () => {
  test.each<[unknown, JsonObject, boolean]>([
    [['=', 'name', 'foo.example.com'], {}, true],
    [['=', 'name', 'bar.example.com'], {}, false],
    [['=', 'nodename', 'foo.example.com'], {}, false],
    [['=', ['fact', 'appearance', 'color'], 'red'], { appearance: { color: 'red' } }, true],
    [['=', ['fact', 'appearance', 'color'], 'red'], {}, false],
    [['=', ['fact', 'is_spaceship'], 'true'], { is_spaceship: true }, true],
    [['=', ['fact', 'is_spaceship'], 'true'], { is_spaceship: 'true' }, true],
    [['=', ['fact', 'processors', 'count'], '4'], { processors: { count: 4 } }, true],
    [
      ['~', ['fact', 'processors', 'models', 0], '^Intel'],
      { processors: { models: ['Intel X', 'AMD'] } },
      true,
    ],
    [
      ['~', ['fact', 'processors', 'models', 1], '^Intel'],
      { processors: { models: ['Intel X', 'AMD'] } },
      false,
    ],
    [['=', ['fact', 'processors', 'models', 'length'], '2'], { processors: { models: ['a', 'b'] } }, false],
    [['=', ['fact', '__proto__', 'x'], 'y'], {}, false],
    [['~', 'name', '^[^.]+\\.example\\.com$'], {}, true],
    [['~', 'name', 'example'], {}, true],
    [['~', ['fact', 'os'], 'Debian'], { os: { name: 'Debian' } }, false],
    [['>=', ['fact', 'total_ram'], '6442000000'], { total_ram: '8590000000' }, true],
    [['>=', ['fact', 'total_ram'], '6442000000'], { total_ram: 4000000000 }, false],
    [['<', ['fact', 'load'], '0.1'], { load: '0.03' }, true],
    [['<', ['fact', 'load'], '0.1'], { load: "what's a number?" }, false],
    [['<', ['fact', 'load'], 'little'], { load: '0.03' }, false],
    [['<=', ['fact', 'uptime'], '3600'], { uptime: '3600' }, true],
    [['not', ['=', ['fact', 'absent'], 'x']], {}, true],
    [['=', ['trusted', 'extensions', 'pp_role'], 'compile_master'], {}, true],
    [['=', ['trusted', 'extensions', '1.3.6.1.4.1.34380.1.2.1'], 'x'], {}, true],
  ])('%j of %j is %s', (condition, fact, expected) => {
    expect(matches(condition, fact)).toBe(expected);
  });

  test('combines others', () => {
    const isStation = [
      'and',
      ['=', ['fact', 'bars'], '1'],
      ['>', ['fact', 'holodecks'], '5'],
      ['not', ['>', ['fact', 'warp_cores'], '0']],
      ['=', ['fact', 'docking_pylons'], '3'],
    ];
    const isShip = ['or', ['=', ['fact', 'warp_cores'], '1'], ['=', ['fact', 'docking_pylons'], '0']];

    expect([matches(isStation, station), matches(isStation, ship)]).toEqual([true, false]);
    expect([matches(isShip, station), matches(isShip, ship)]).toEqual([false, true]);
  });

  test('explains itself', () => {
    const condition: Condition = ['and', ['not', ['<', ['fact', 'bars'], '1']], ['~', 'name', 'deep']];

    const explained = explainCondition(condition, { name: 'foo', fact: station, trusted: {} });

    expect(explained).toEqual({
      value: false,
      form: [
        'and',
        {
          value: true,
          form: ['not', { value: false, form: ['<', { path: ['fact', 'bars'], value: '1' }, '1'] }],
        },
        { value: false, form: ['~', { path: 'name', value: 'foo' }, 'deep'] },
      ],
    });
  });

  test.each([
    [{}],
    [[]],
    [['xor', ['=', 'name', 'a']]],
    [['and']],
    [['not', ['=', 'name', 'a'], ['=', 'name', 'b']]],
    [['=', 'name']],
    [['=', 'name', 4]],
    [['=', ['fact'], 'a']],
    [['=', ['fact', 1], 'a']],
    [['=', ['fact', 'a', 1.5], 'a']],
    [['~', 'name', '(']],
    [['and', ['~', 'name', '*']]],
  ])('is not %j', (condition) => {
    expect(() => decodeCondition(condition)).toThrowError(
      expect.objectContaining({ reason: 'bad-request', kind: 'schema-violation' }) as Error,
    );
  });

  test.each(['(.*a){2525}$', '((.*a){200}){200}$', '(x{255}){255}'])(
    'may not have the pattern %s, which takes years',
    (pattern) => {
      expect(() => decodeCondition(['~', 'name', pattern])).toThrow(
        'the pattern is too complex to be matched in little time',
      );
    },
  );

  test.each(['(.*a){25}$', '^[a-z]{3,60}$', '(?=web)w'])('may have the pattern %s', (pattern) => {
    expect(decodeCondition(['~', 'name', pattern])).toEqual(['~', 'name', pattern]);
  });

  test('may have 20,000 conditions, and no more', () => {
    const pins = (count: number) => [
      'or',
      ...Array.from({ length: count }, (_, index) => ['=', 'name', `n${index}`]),
    ];

    expect(decodeCondition(pins(19_999))).toHaveLength(20_000);
    expect(() => decodeCondition(pins(20_000))).toThrow('it has more than 20000 conditions');
  });

  test('may not be nested until the stack ends', () => {
    const deep = JSON.parse(`${'["not",'.repeat(100_000)}["=","name","a"]${']'.repeat(100_000)}`) as unknown;

    expect(() => decodeCondition(deep)).toThrowError('nested too deeply');
  });
});

describe("A pattern in Java's words", () => {
  test.each([
    ['\\Aweb\\d+\\z', 'web12', true],
    ['\\Aweb\\d+\\z', 'a web12', false],
    ['(?i)WEB', 'web1', true],
    ['\\Qa.b\\E$', 'xa.b', true],
    ['\\Qa.b\\E', 'axb', false],
    ['a++b', 'aab', true],
    ['[*+]x', '+x', true],
    ['\\\\A', '\\A', true],
    ['[[]', '[', true],
  ])('%s of %s', (pattern, text, expected) => {
    expect(javaPattern(pattern)?.test(text)).toBe(expected);
  });
});
