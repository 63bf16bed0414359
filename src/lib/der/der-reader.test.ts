import { expect, test } from 'vitest';
import { DerReader } from './der-reader.ts';

/** An OCTET STRING of one byte whose length has a leading zero. */
const long = Buffer.from([0x04, 0x82, 0x00, 0x01, 0x2a]);

test('a length that is not in its shortest form is refused', () => {
  expect(() => new DerReader(long).next()).toThrow('DER: a length is not in its shortest form');
});

test('such a length is read where the caller allows it', () => {
  const reader = new DerReader(long, { allowsLongLengths: true });

  expect(reader.next().content).toEqual(Buffer.from([0x2a]));
  expect(reader.isAtEnd).toBe(true);
});

test('an element longer than its parent is refused where long lengths are allowed', () => {
  const cut = long.subarray(0, 4);

  expect(() => new DerReader(cut, { allowsLongLengths: true }).next()).toThrow(
    'longer than what contains it',
  );
});
