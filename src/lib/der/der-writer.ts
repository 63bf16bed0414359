/** Builds DER from the inside out: each function returns one complete element. */

import { derTags } from './der-tags.ts';
import { encodeOidContent } from './oid.ts';

/** One element with identifier `tag`; the length is written in its shortest form, as DER demands. */
export function derElement(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  let length = 0;
  for (const part of parts) length += part.length;
  return Buffer.concat([header(tag, length), ...parts]);
}

export function derSequence(...items: readonly Uint8Array[]): Buffer {
  return derElement(derTags.sequence, ...items);
}

/** A SET OF; DER wants its elements sorted by their encoding. */
export function derSet(...items: readonly Uint8Array[]): Buffer {
  return derElement(derTags.set, ...[...items].sort(Buffer.compare));
}

/** A non-negative INTEGER. */
export function derInteger(value: number | bigint): Buffer {
  const hex = value.toString(16);
  return derUnsigned(Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex'));
}

/** A non-negative INTEGER from its big-endian octets. */
export function derUnsigned(magnitude: Uint8Array): Buffer {
  let start = 0;
  while (start < magnitude.length - 1 && magnitude[start] === 0) start++;
  const bytes = magnitude.subarray(start);
  const needsZero = bytes.length === 0 || ((bytes[0] ?? 0) & 0x80) !== 0;
  return needsZero
    ? derElement(derTags.integer, Buffer.from([0]), bytes)
    : derElement(derTags.integer, bytes);
}

export function derBoolean(value: boolean): Buffer {
  return derElement(derTags.boolean, Buffer.from([value ? 0xff : 0]));
}

export function derNull(): Buffer {
  return derElement(derTags.null);
}

/** @param dotted - `2.5.29.17` */
export function derOid(dotted: string): Buffer {
  return derElement(derTags.oid, encodeOidContent(dotted));
}

export function derOctetString(bytes: Uint8Array): Buffer {
  return derElement(derTags.octetString, bytes);
}

export function derBitString(bytes: Uint8Array, unusedBits = 0): Buffer {
  return derElement(derTags.bitString, Buffer.from([unusedBits]), bytes);
}

export function derUtf8String(text: string): Buffer {
  return derElement(derTags.utf8String, Buffer.from(text, 'utf8'));
}

export function derIa5String(text: string): Buffer {
  return derElement(derTags.ia5String, Buffer.from(text, 'latin1'));
}

function header(tag: number, length: number): Buffer {
  if (length < 0x80) return Buffer.from([tag, length]);
  if (length < 0x100) return Buffer.from([tag, 0x81, length]);
  if (length < 0x10000) return Buffer.from([tag, 0x82, length >>> 8, length & 0xff]);
  if (length < 0x1000000) {
    return Buffer.from([tag, 0x83, length >>> 16, (length >>> 8) & 0xff, length & 0xff]);
  }
  const bytes = Buffer.from([tag, 0x84, 0, 0, 0, 0]);
  bytes.writeUInt32BE(length, 2);
  return bytes;
}
