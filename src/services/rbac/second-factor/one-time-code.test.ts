import { expect, test } from 'vitest';
import { base32, codeAt, createSecret, stepOfCode, uriOf } from './one-time-code.ts';

const secret = Buffer.from('12345678901234567890');

// Appendix B of RFC 6238, of whose eight digits six are taken.
test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('the code of second %d is that of the RFC', (seconds, code) => {
  expect(codeAt(secret, seconds * 1000)).toBe(code.slice(2));
});

test('a code counts for half a minute, and a step before and after it for clocks that differ', () => {
  const code = codeAt(secret, 900_000);
  const takenAt = (ms: number) => stepOfCode(secret, code, ms, 0) !== undefined;

  expect([870_000, 899_999, 900_000, 929_999, 930_000, 959_999].map(takenAt)).toEqual(Array(6).fill(true));
  expect([869_999, 960_000].map(takenAt)).toEqual([false, false]);
});

test('a code is not taken twice, nor one before it', () => {
  const step = stepOfCode(secret, codeAt(secret, 900_000), 900_000, 0);

  expect(step).toBe(30);
  expect(stepOfCode(secret, codeAt(secret, 900_000), 900_000, 30)).toBeUndefined();
  expect(stepOfCode(secret, codeAt(secret, 870_000), 900_000, 30)).toBeUndefined();
  expect(stepOfCode(secret, codeAt(secret, 930_000), 930_000, 30)).toBe(31);
});

test.each(['', '12345', '1234567', 'abcdef', ' 12345', '١٢٣٤٥٦'])('%j is no code', (text) => {
  expect(stepOfCode(secret, text, 900_000, 0)).toBeUndefined();
});

test('a URI has what programs need, whatever the login is', () => {
  const uri = new URL(uriOf(secret, 'a b:&/ö', 'Bunraku primary.test'));

  expect(uri.protocol).toBe('otpauth:');
  expect(decodeURIComponent(uri.pathname)).toBe('/Bunraku primary.test:a b:&/ö');
  expect(uri.searchParams.get('secret')).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  expect(uri.searchParams.get('issuer')).toBe('Bunraku primary.test');
  expect(uri.href).not.toContain('+');
});

// Section 10 of RFC 4648, without the padding.
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('%j is %j in base 32', (text, expected) => {
  expect(base32(Buffer.from(text))).toBe(expected);
});

test('secrets differ', () => {
  expect(createSecret()).not.toEqual(createSecret());
});
