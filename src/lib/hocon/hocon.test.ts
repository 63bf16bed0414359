import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HoconError, parseHocon, parseHoconValue } from './index.ts';

/** Text and what Ruby's hocon 1.3 makes of it. */
const recorded: readonly (readonly [string, unknown])[] = [
  ['a=1,b=2.0,c=true,d=null,e=x y z', { a: 1, b: 2, c: true, d: null, e: 'x y z' }],
  ['a{b=1}\na{c=${a.b}}', { a: { b: 1, c: 1 } }],
  ['a=[1,2]\na=${a} [3]', { a: [1, 2, 3] }],
  ['a+=1\na+=2', { a: [1, 2] }],
  ['x="q"${y}"z"\ny=5', { x: 'q5z', y: 5 }],
  ['a.b.c=1\na.b.d=2', { a: { b: { c: 1, d: 2 } } }],
  ['a="""x"y""""', { a: 'x"y"' }],
  ['a=1 // c\n# d\nb=2', { a: 1, b: 2 }],
  ['a={b:1} {c:2}', { a: { b: 1, c: 2 } }],
  ['a=${?nope}\nb=1', { b: 1 }],
  ['p=/a/b\nq=${p}/c', { p: '/a/b', q: '/a/b/c' }],
  ['"a.b"=1', { 'a.b': 1 }],
  ['a=10s', { a: '10s' }],
  ['a=1e3', { a: 1000 }],
  ['a=[\n1\n2,3\n]', { a: [1, 2, 3] }],
  ['{"a":"\\u0041\\n"}', { a: 'A\n' }],
  ['a={b:2}\na=1', { a: 1 }],
  ['t = true x', { t: 'true x' }],
  ['a b c = 1', { 'a b c': 1 }],
  ['a = ${x} \nx = [1,2]', { a: [1, 2], x: [1, 2] }],
  ['a={x=1}\nb=${a}{y=2}', { a: { x: 1 }, b: { x: 1, y: 2 } }],
];

describe('parseHocon', () => {
  test.each(recorded)('reads %j as the reference does', (text, expected) => {
    const result = parseHocon(text);

    expect(result).toEqual(expected);
  });

  test.each([
    ['a=[1', 1],
    ['a=', 1],
    ['x=1\na=${b}', 2],
    ['a="x', 1],
    ['a = ${a}', 1],
    ['a="\\q"', 1],
    ['x=1\n}', 2],
  ])('refuses %j at its line', (text, line) => {
    const read = (): unknown => parseHocon(text);

    expect(read).toThrowError(HoconError);
    expect(read).toThrowError(`(line: ${line})`);
  });

  test('tells integers from floats and keeps the order of keys', () => {
    const value = parseHoconValue('b = 1\na = 2.5\n10 = x');

    expect(value).toEqual(
      new Map<string, unknown>([
        ['b', 1n],
        ['a', 2.5],
        ['10', 'x'],
      ]),
    );
  });

  test('resolves each field once, however often it is referred to', () => {
    const appended = Array.from({ length: 1000 }, (_, index) => `x += ${index}`).join('\n');
    const doubled = (length: number) =>
      Array.from({ length }, (_, index) => `k${index} = \${?k${index + 1}}\${?k${index + 1}}`).join('\n');

    expect(parseHocon(appended)).toEqual({ x: Array.from({ length: 1000 }, (_, index) => index) });
    expect(parseHocon(doubled(400))).toEqual({});
    expect(() => parseHocon(doubled(1000))).toThrow(HoconError);
  });

  test('gives a field its own value where another field reads it while it is resolved', () => {
    // What Ruby's hocon makes of it.
    const text = 'b = 2\na += 2\na += {a: [[${?c}]], c = ${?a.x.z} ${?b}}\nb.y = {b.y: 2, a.x = [${a}]}';
    const inner = { a: [[]], c: ' 2' };

    expect(parseHocon(text)).toEqual({
      b: { y: { b: { y: 2 }, a: { x: [[2, inner]] } } },
      a: [2, { a: [[]], c: { y: { b: { y: 2 }, a: { x: [[2, inner]] } } } }],
    });
  });

  test('includes what the reader gives and refuses to include without one', () => {
    const include = (name: string): string | undefined => (name === 'b.conf' ? 'b = 2' : undefined);

    const result = parseHocon('a = 1\ninclude "b.conf"\ninclude "c.conf"\nc = ${b}', { include });

    expect(result).toEqual({ a: 1, b: 2, c: 2 });
    expect(() => parseHocon('include "b.conf"')).toThrowError("Cannot include 'b.conf'");
  });

  test('falls back to variables that it is given', () => {
    const result = parseHocon('a = ${HOME}/x', { variable: (name) => (name === 'HOME' ? '/h' : undefined) });

    expect(result).toEqual({ a: '/h/x' });
  });

  test('never does anything but answer or throw HoconError', () => {
    const piece = fc.constantFrom(
      'a',
      '=',
      '{',
      '}',
      '[',
      ']',
      '"',
      '${',
      '}',
      '+=',
      '\n',
      ',',
      '.',
      '"""',
      '1',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        try {
          parseHocon(pieces.join(''));
        } catch (error) {
          expect(error).toBeInstanceOf(HoconError);
        }
      }),
      { numRuns: 2000 },
    );
    expect(() => parseHocon(`a=${'['.repeat(100_000)}`)).toThrowError(HoconError);
  });
});
