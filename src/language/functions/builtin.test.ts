import { describe, expect, test } from 'vitest';
import { lambda, recordingContext } from '../../../test/support/recording-context.ts';
import { Float, PuppetHash, RegexpValue, SensitiveValue, type Value } from '../pcore/index.ts';
import { PuppetError } from '../syntax/index.ts';
import { BreakSignal, builtinFunctions, type Lambda, prepareFunction } from './index.ts';

const hash = PuppetHash.from;

function call(name: string, args: readonly Value[], block?: Lambda): Value {
  return recordingContext().callFunction(name, args, block);
}

function errorOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof PuppetError) return error.message;
    throw error;
  }
  return 'no error';
}

// The results were recorded from Puppet 7.23.
describe('functions give what the reference gives', () => {
  const cases: readonly (readonly [string, readonly Value[], Value])[] = [
    ['abs', [-5], 5],
    ['abs', [new Float(-2.5)], new Float(2.5)],
    ['camelcase', ['abc_def-ghi'], 'AbcDef-ghi'],
    ['camelcase', ['__x'], 'X'],
    ['capitalize', ['ABC'], 'Abc'],
    ['ceiling', [new Float(1.2)], 2],
    ['chomp', ['a\r\n'], 'a'],
    ['chomp', ['a\n\n'], 'a\n'],
    ['chop', ['a\r\n'], 'a'],
    ['chop', [['ab', 'cd']], ['a', 'c']],
    ['compare', ['A', 'a'], 0],
    ['dig', [[1, [2]], 1, 0], 2],
    ['dig', [null, 'a'], null],
    ['downcase', ['ÄÖ'], 'äö'],
    ['empty', [[null]], false],
    ['empty', [null], true],
    ['flatten', [1, [2], [[3]]], [1, 2, 3]],
    ['get', [hash({ a: hash({ b: [1, 2] }) }), 'a.b.1'], 2],
    ['get', [hash({ 'a.b': 1 }), "'a.b'"], 1],
    ['index', [['a', 'b'], 'b'], 1],
    ['join', [[1, [2, [3]]], ','], '1,2,3'],
    ['join', [['a', null, 'b'], ','], 'a,,b'],
    ['length', ['日本'], 2],
    ['lstrip', ['  a '], 'a '],
    ['match', ['abc', new RegexpValue('(b)(x)?')], ['b', 'b', null]],
    ['match', ['abc', new RegexpValue('x')], null],
    ['max', ['B', 'a'], 'a'],
    ['min', [10, '9'], '9'],
    ['regsubst', ['1.2.3', '^(\\d+)\\.(\\d+).*$', '\\1-\\2'], '1-2'],
    ['regsubst', ['a\nb', 'a.b', 'X', 'M'], 'X'],
    ['regsubst', [['ab', 'cb'], 'b', 'X'], ['aX', 'cX']],
    ['round', [new Float(1.4999)], 1],
    ['round', [new Float(-2.5)], -3],
    ['sha256', ['abc'], 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    ['shellquote', ['a!b', '', '$x', 'a/b'], `'a!b' "" '$x' a/b`],
    ['slice', [7, 3], [[0, 1, 2], [3, 4, 5], [6]]],
    ['sort', ['hello'], 'ehllo'],
    ['split', ['a|b', '|'], ['a', '|', 'b']],
    ['sprintf', ['%s', new RegexpValue('x')], '/x/'],
    ['strip', [[' a ', ' b']], ['a', 'b']],
    ['unique', ['hello'], 'helo'],
    ['unwrap', [new SensitiveValue('a')], 'a'],
    ['versioncmp', ['1.2', '1.10'], -1],
    ['versioncmp', ['1.0a', '1.0'], 1],
    ['versioncmp', ['2.4.3.0', '2.4.3', true], 0],
  ];

  test.each(cases)('%s(%j)', (name, args, expected) => {
    expect(call(name, args)).toEqual(expected);
  });

  test('fqdn_rand depends on node, limit and seed alone', () => {
    const context = recordingContext({
      variables: { '::facts': hash({ networking: hash({ fqdn: 'test.example.com' }) }) },
    });

    expect(context.callFunction('fqdn_rand', ['100'])).toBe(98);
    expect(context.callFunction('fqdn_rand', [100, 'seed'])).toBe(23);
  });
});

describe('errors have the reference’s words', () => {
  const cases: readonly (readonly [string, readonly Value[], string])[] = [
    ['abs', [], "'abs' expects 1 argument, got none"],
    ['abs', [null], "'abs' parameter 'val' expects a value of type Numeric or String, got Undef"],
    ['ceiling', ['a'], 'ceiling(): cannot convert given value to a floating point value.'],
    [
      'compare',
      [1, 'a'],
      "'compare' compare(): Can only compare values of the same type (or for Timestamp/Timespan also against Numeric). Got Integer and String",
    ],
    ['fail', ['a', 'b'], 'a b'],
    [
      'get',
      [hash({ a: 1 }), 'a.b'],
      `The given data does not contain a Collection at ["a"], got 'Integer[1, 1]'`,
    ],
    ['join', ['a', ','], "'join' parameter 'arg' expects an Array value, got String"],
    [
      'length',
      [5],
      "'length' parameter 'arg' expects a value of type Collection, String, or Binary, got Integer",
    ],
    ['min', [[]], 'min(): Wrong number of arguments need at least one'],
    ['sort', [[1, 'a']], 'comparison of Integer with String failed'],
    ['sprintf', ['%k', 1], 'malformed format string - %k'],
    ['sprintf', [], 'sprintf(): Wrong number of arguments given (0 for minimum 1)'],
    ['upcase', ['a', 'b'], "'upcase' expects 1 argument, got 2"],
  ];

  test.each(cases)('%s(%j)', (name, args, expected) => {
    expect(errorOf(() => call(name, args))).toBe(expected);
  });
});

describe('lambdas', () => {
  test('get a key and a value when they have two parameters', () => {
    const block = lambda(2, (key, value) => `${String(key)}=${String(value)}`);

    expect(call('map', [hash({ a: 1, b: 2 })], block)).toEqual(['a=1', 'b=2']);
    expect(call('map', [['x', 'y']], block)).toEqual(['0=x', '1=y']);
  });

  test('end each, map and reduce with break()', () => {
    const stopAtTwo = lambda(1, (value) => {
      if (value === 2) throw new BreakSignal({});
      return value ?? null;
    });

    expect(call('map', [[1, 2, 3]], stopAtTwo)).toEqual([1]);
    expect(call('each', [[1, 2, 3]], stopAtTwo)).toEqual([1, 2, 3]);
  });

  test('are refused when they have too many parameters', () => {
    const run = (): Value =>
      call(
        'reduce',
        [[1, 2]],
        lambda(3, () => null),
      );

    expect(errorOf(run)).toContain("'reduce' block expects 2 arguments, got 3");
  });

  test('are required where they are', () => {
    expect(errorOf(() => call('each', [[1]]))).toBe("'each' expects a block");
  });
});

test.each([...builtinFunctions.values()])('the types in the signatures of $name exist', (definition) => {
  const types = prepareFunction(definition).signatures.map(({ type }) => type.toString());

  expect(types.join()).not.toContain('TypeReference');
});

test('deprecations are warned of with the place of the call', () => {
  const context = recordingContext();

  context.callFunction('empty', [0]);

  expect(context.logged).toEqual([
    'once: Calling function empty() with Numeric value is deprecated.\n   (file: /code/manifests/site.pp, line: 1)',
  ]);
});
