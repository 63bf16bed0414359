import { expect, test } from 'vitest';
import { storableBytes, storableJson } from './payload.ts';

test.each([
  ['"a\\u0000b"', '"a\\ufffdb"'],
  ['"a\\\\u0000b"', '"a\\\\u0000b"'],
  ['"\\ud83d\\ude00"', '"\\ud83d\\ude00"'],
  ['"\\uD83D\\uDE00"', '"\\uD83D\\uDE00"'],
  ['"\\ud800"', '"?"'],
  ['"\\udc00x"', '"?x"'],
  ['"\\ud800\\ud83d\\ude00"', '"?\\ud83d\\ude00"'],
  ['"\\ud800\\u0041"', '"?\\u0041"'],
  ['"C:\\\\users\\\\udev\\\\ud800"', '"C:\\\\users\\\\udev\\\\ud800"'],
])('%s is kept as %s', (json, kept) => {
  expect(storableJson(json)).toBe(kept);
  expect(() => JSON.parse(kept) as unknown).not.toThrow();
  expect(Buffer.from(storableBytes(Buffer.from(json))).toString()).toBe(kept);
});

test('bytes that are not UTF-8 become the character for what cannot be shown', () => {
  const bytes = Buffer.concat([Buffer.from('["a'), Buffer.from([0xff, 0xed, 0xa0, 0x80]), Buffer.from('"]')]);

  expect(Buffer.from(storableBytes(bytes)).toString()).toMatch(/^\["a\ufffd+"\]$/);
});

test('what can be kept is not copied', () => {
  const bytes = Buffer.from('["ü"]');

  expect(storableBytes(bytes)).toBe(bytes);
});
