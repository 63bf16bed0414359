import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasFragileNumbers, isRawNumber, keepNumber, parseExact, rawNumber } from './raw-json.ts';

test('numbers are written as they were read', () => {
  const text = '{"a":[4096.0,1e2,-0.10],"b":{"c":12345678901234567890},"d":"4096.0","e":null}';

  const parsed: unknown = JSON.parse(text, keepNumber);

  expect(JSON.stringify(parsed)).toBe(text);
});

test('they are told from objects that look like them', () => {
  expect(isRawNumber(rawNumber('1.0'))).toBe(true);
  expect([isRawNumber({ rawJSON: '1.0' }), isRawNumber(1), isRawNumber(null)]).toEqual([false, false, false]);
});

test('invalid JSON is refused', () => {
  expect(() => rawNumber('1.')).toThrow(SyntaxError);
  expect(() => rawNumber('{}')).toThrow(SyntaxError);
});

test.each([
  ['[1, 2.5, -3, "4.0", {"a": 12}]', false],
  ['{"a": 4096.0}', true],
  ['[1.10]', true],
  ['[1e3]', true],
  ['{"mac":"52:54:00:8E:FD:05"}', false],
  ['[12345678901234567890]', true],
  ['[-0]', true],
  ['[-0.5, 0, -10]', false],
  ['[0.0000001]', true],
])('%s may lose the form of a number: %s', (text, isFragile) => {
  expect(hasFragileNumbers(text)).toBe(isFragile);
});

test('a number is kept as it was written where it would change, and only there', () => {
  const parsed = parseExact('{"a":4096.0,"b":1,"c":0.12345678901234567890}');

  expect(JSON.stringify(parsed)).toBe('{"a":4096.0,"b":1,"c":0.12345678901234567890}');
  expect(Object.values(parsed as object).map(isRawNumber)).toEqual([true, false, true]);
});

const sources = [
  '0',
  '-0',
  '1.0',
  '4096.00',
  '-1.50',
  '2.25',
  '1e3',
  '-1.5E-7',
  '0.0000001',
  '12345678901234567890',
];
const texts = ['plain', 'a, 1.0', 'b: 4096.0"', '[2.50]', '\\\\1.0', '\ud800', '\ud8000', 'ü: 1e5'];
const scalar = fc.oneof(
  fc.constantFrom(...sources).map((text) => ({ text })),
  fc.constantFrom(...texts, ...sources).map((value) => ({ text: JSON.stringify(value) })),
  fc.constantFrom('true', 'null', '{}', '[ ]').map((text) => ({ text })),
);
const { list } = fc.letrec<{ list: { text: string }; any: { text: string } }>((tie) => ({
  any: fc.oneof({ maxDepth: 3 }, scalar, tie('list')),
  list: fc.oneof(
    fc.array(tie('any')).map((items) => ({ text: `[${items.map(({ text }) => text).join(', ')}]` })),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'c: 1.0'), tie('any')).map((members) => ({
      text: `{${Object.entries(members)
        .map(([key, { text }]) => `${JSON.stringify(key)} :${text}`)
        .join(',')}}`,
    })),
  ),
}));

test('any JSON is read as if each number had been looked at', () => {
  fc.assert(
    fc.property(list, ({ text }) => {
      const slowly: unknown = JSON.parse(text, keepNumber);

      expect(JSON.stringify(parseExact(text))).toBe(JSON.stringify(slowly));
    }),
    { numRuns: 1000 },
  );
});

test.each(['', '{', '[1.0', '[1.0,]', '{"a":1.0.0}', '[01.0]', '["a, 1.0]', '[1.0e]', '[-1.0-]'])(
  '%j is no JSON',
  (text) => {
    expect(() => parseExact(text)).toThrow(SyntaxError);
  },
);
