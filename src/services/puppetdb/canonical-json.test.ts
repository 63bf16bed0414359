import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExact } from '../../lib/raw-json.ts';
import { canonicalJson, identityHash } from './canonical-json.ts';

test('keys are sorted at every depth, lists keep their order', () => {
  expect(canonicalJson({ b: [2, 1, { d: 1, c: null }], a: 'x' })).toBe(
    '{"a":"x","b":[2,1,{"c":null,"d":1}]}',
  );
});

test.each(['4096.0', '1e30', '12345678901234567890', '-0.10', '1.5', '7'])(
  'the number %s keeps its form',
  (number) => {
    expect(canonicalJson(parseExact(`{"n":[${number}]}`))).toBe(`{"n":[${number}]}`);
  },
);

test('any JSON is the same after it was written and read', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(canonicalJson(parseExact(text))).toBe(text);
    }),
  );
});

test('a resource is known by the digest that the reference gives it', () => {
  // Settings of a real catalog.
  expect(identityHash(canonicalJson(['Class', 'Settings', {}]))).toBe(
    '3fa48ecbd844cdfa4b6e5c5c699dfc8c9b452838',
  );
});
