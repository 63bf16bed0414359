import { crc32 as zlibCrc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { crc32 } from './crc32.ts';

test('a checksum is that of zlib', () => {
  for (const text of ['', 'a', '123456789', 'Äö\n'.repeat(100)]) {
    const bytes = new TextEncoder().encode(text);

    expect(crc32(bytes)).toBe(zlibCrc32(bytes));
  }
});
