import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeOidContent, encodeOidContent } from '../../lib/der/index.ts';
import { puppetOid, puppetShortNames } from './puppet-oids.ts';

test('object identifiers survive encoding and decoding', () => {
  const arcs = fc.array(fc.nat(), { minLength: 0, maxLength: 12 });
  const oid = fc.oneof(
    fc.tuple(fc.constantFrom(0, 1), fc.nat(39), arcs),
    fc.tuple(fc.constant(2), fc.nat(), arcs),
  );
  fc.assert(
    fc.property(oid, ([first, second, rest]) => {
      const dotted = [first, second, ...rest].join('.');
      expect(decodeOidContent(encodeOidContent(dotted))).toBe(dotted);
    }),
  );
});

test.each(['', '1', '3.1', '1.40', '1.2.', '1.02', 'a.b', '1.2.-3'])('%j is no object identifier', (text) => {
  expect(() => encodeOidContent(text)).toThrow('Invalid object identifier');
});

test("Puppet's short names have the numbers that agents use", () => {
  expect(puppetOid('pp_uuid')).toBe('1.3.6.1.4.1.34380.1.1.1');
  expect(puppetOid('pp_role')).toBe('1.3.6.1.4.1.34380.1.1.13');
  expect(puppetOid('pp_owner')).toBe('1.3.6.1.4.1.34380.1.1.26');
  expect(puppetOid('pp_auth_role')).toBe('1.3.6.1.4.1.34380.1.3.13');
  expect(puppetShortNames.get('1.3.6.1.4.1.34380.1.3.39')).toBe('pp_cli_auth');
  expect(puppetOid('1.2.3')).toBe('1.2.3');
});
