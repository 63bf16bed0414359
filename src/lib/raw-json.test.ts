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

test('what is no JSON is refused', () => {
  expect(() => rawNumber('1.')).toThrow(SyntaxError);
  expect(() => rawNumber('{}')).toThrow(SyntaxError);
});

test.each([
  ['[1, 2.5, -3, "4.0", {"a": 12}]', false],
  ['{"a": 4096.0}', true],
  ['[1.10]', true],
  ['[1e3]', true],
  ['[12345678901234567890]', true],
])('%s may lose the form of a number: %s', (text, isFragile) => {
  expect(hasFragileNumbers(text)).toBe(isFragile);
});

test('a number is kept as it was written where it would change, and only there', () => {
  const parsed = parseExact('{"a":4096.0,"b":1,"c":0.12345678901234567890}');

  expect(JSON.stringify(parsed)).toBe('{"a":4096.0,"b":1,"c":0.12345678901234567890}');
  expect(Object.values(parsed as object).map(isRawNumber)).toEqual([true, false, true]);
});
