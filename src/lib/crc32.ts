import { crc32 as checksum } from 'node:zlib';

/** The checksum of zlib and Ethernet, of a text in UTF-8. @returns 32 bits, unsigned */
export function crc32(text: string): number {
  return checksum(text);
}
