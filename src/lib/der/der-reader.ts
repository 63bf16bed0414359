/**
 * Reads DER strictly: definite lengths, single-octet tags, nothing outside its parent, lengths in their shortest form
 * unless the caller allows others.
 *
 * The reader walks along one level and never recurses, so nesting in hostile input costs nothing.
 */

import { DerError } from './der-error.ts';
import { derTags } from './der-tags.ts';
import { decodeOidContent } from './oid.ts';

export interface DerValue {
  readonly tag: number;
  /** Header and content, a view into the input. */
  readonly raw: Buffer;
  /** The content, a view into the input. */
  readonly content: Buffer;
}

export interface DerReaderOptions {
  /** Accepts lengths with leading zeros, as BER does and OpenSSL reads them. */
  readonly allowsLongLengths?: boolean;
}

export class DerReader {
  private readonly bytes: Buffer;
  private readonly allowsLongLengths: boolean;
  private offset = 0;

  constructor(bytes: Uint8Array, { allowsLongLengths = false }: DerReaderOptions = {}) {
    this.allowsLongLengths = allowsLongLengths;
    this.bytes = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.offset >= this.bytes.length;
  }

  /** The next element's tag, or `undefined` at the end. */
  peekTag(): number | undefined {
    return this.bytes[this.offset];
  }

  /**
   * The next element, whatever it is.
   *
   * @throws DerError when there is none or it is not DER
   */
  next(): DerValue {
    const start = this.offset;
    const tag = this.octet();
    if ((tag & 0x1f) === 0x1f) throw new DerError('DER: tags of several octets are not supported');
    const length = this.length();
    const contentStart = this.offset;
    const end = contentStart + length;
    if (end > this.bytes.length) throw new DerError('DER: an element is longer than what contains it');
    this.offset = end;
    return { tag, raw: this.bytes.subarray(start, end), content: this.bytes.subarray(contentStart, end) };
  }

  /** The next element, which must have `tag`. */
  read(tag: number): DerValue {
    const value = this.next();
    if (value.tag !== tag) {
      throw new DerError(`DER: expected tag 0x${tag.toString(16)}, found 0x${value.tag.toString(16)}`);
    }
    return value;
  }

  /** The next element when it has `tag`, else `undefined` and nothing is consumed. */
  readOptional(tag: number): DerValue | undefined {
    return this.peekTag() === tag ? this.next() : undefined;
  }

  /** A reader for the content of the next element, which must be a SEQUENCE. */
  sequence(): DerReader {
    return new DerReader(this.read(derTags.sequence).content);
  }

  /** @throws DerError when something is left over */
  end(): void {
    if (!this.isAtEnd) throw new DerError('DER: unexpected data after the last element');
  }

  private octet(): number {
    const octet = this.bytes[this.offset];
    if (octet === undefined) throw new DerError('DER: the data ends too early');
    this.offset++;
    return octet;
  }

  private length(): number {
    const first = this.octet();
    if (first < 0x80) return first;
    const count = first & 0x7f;
    if (count === 0 || count > 4) throw new DerError('DER: unsupported length');
    let length = 0;
    for (let i = 0; i < count; i++) length = length * 256 + this.octet();
    const minimum = count === 1 ? 0x80 : 256 ** (count - 1);
    if (length < minimum && !this.allowsLongLengths)
      throw new DerError('DER: a length is not in its shortest form');
    return length;
  }
}

/** The only element in `bytes`. @throws DerError when there is more */
export function readOnly(bytes: Uint8Array): DerValue {
  const reader = new DerReader(bytes);
  const value = reader.next();
  reader.end();
  return value;
}

/** The value of an INTEGER that must not be negative. */
export function decodeUnsigned(value: DerValue): bigint {
  return BigInt(`0x${decodeSerial(value)}`);
}

/**
 * A serial number as Node and OpenSSL print it: upper-case hexadecimal without leading zeros.
 *
 * @throws DerError when negative, empty or longer than 64 octets
 */
export function decodeSerial(value: DerValue): string {
  const { content } = value;
  if (value.tag !== derTags.integer || content.length === 0) throw new DerError('DER: not an integer');
  if (((content[0] ?? 0) & 0x80) !== 0) throw new DerError('DER: the integer is negative');
  if (content.length > 64) throw new DerError('DER: the integer is too long');
  let start = 0;
  while (start < content.length - 1 && content[start] === 0) start++;
  const hex = content.toString('hex', start).toUpperCase();
  return hex.length > 1 && hex.startsWith('0') ? hex.slice(1) : hex;
}

export function decodeOid(value: DerValue): string {
  if (value.tag !== derTags.oid) throw new DerError('DER: not an object identifier');
  return decodeOidContent(value.content);
}

export function decodeBoolean(value: DerValue): boolean {
  if (value.tag !== derTags.boolean || value.content.length !== 1) throw new DerError('DER: not a boolean');
  return value.content[0] !== 0;
}

/** The octets of a BIT STRING that has no unused bits, as keys and signatures have none. */
export function decodeBitString(value: DerValue): Buffer {
  if (value.tag !== derTags.bitString || value.content[0] !== 0) {
    throw new DerError('DER: not a bit string of whole octets');
  }
  return value.content.subarray(1);
}

/** The text of any of the string types, or `undefined` when the element is something else. */
export function decodeText(value: DerValue): string | undefined {
  switch (value.tag) {
    case derTags.utf8String:
      return value.content.toString('utf8');
    case derTags.printableString:
    case derTags.ia5String:
    case derTags.visibleString:
    case derTags.numericString:
    case derTags.teletexString:
      return value.content.toString('latin1');
    case derTags.bmpString:
      return value.content.length % 2 === 0
        ? Buffer.from(value.content).swap16().toString('utf16le')
        : undefined;
    default:
      return undefined;
  }
}
