import { fault } from '../fault.ts';
import { OpaqueValue } from '../value.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** A sequence of bytes. Must not be changed once handed over. */
export class BinaryValue extends OpaqueValue {
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    super();
    this.bytes = bytes;
  }

  static fromText(text: string): BinaryValue {
    return new BinaryValue(new TextEncoder().encode(text));
  }

  /** RFC 4648 with padding, no line breaks. @throws PuppetError `invalid base64` */
  static fromBase64(text: string): BinaryValue {
    const isWhole = /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0;
    if (!isWhole) throw fault('invalid base64');
    return new BinaryValue(decode(text));
  }

  /** Takes `-` and `_`, and text without padding. */
  static fromUrlsafeBase64(text: string): BinaryValue {
    const plain = text.replaceAll('-', '+').replaceAll('_', '/');
    const padded = plain.endsWith('=') ? plain : plain.padEnd(Math.ceil(plain.length / 4) * 4, '=');
    return BinaryValue.fromBase64(padded);
  }

  /** Skips all that is not of the alphabet. */
  static fromRelaxedBase64(text: string): BinaryValue {
    return new BinaryValue(decode(text));
  }

  /** Base64 on one line. */
  override toString(): string {
    return encode(this.bytes);
  }
  toUrlsafeString(): string {
    return this.toString().replaceAll('+', '-').replaceAll('/', '_');
  }
  /** Base64 in lines of 60 characters, each with a line break. */
  toRelaxedString(): string {
    return this.toString().replace(/.{1,60}/g, '$&\n');
  }
  equalityKey(): string {
    return `Binary:${this.toString()}`;
  }
}

function encode(bytes: Uint8Array): string {
  let out = '';
  for (let index = 0; index < bytes.length; index += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(index, index + 3);
    const left = bytes.length - index;
    out += ALPHABET.charAt(a >> 2) + ALPHABET.charAt(((a & 3) << 4) | (b >> 4));
    out += left > 1 ? ALPHABET.charAt(((b & 15) << 2) | (c >> 6)) : '=';
    out += left > 2 ? ALPHABET.charAt(c & 63) : '=';
  }
  return out;
}

function decode(text: string): Uint8Array {
  const bytes: number[] = [];
  let bits = 0;
  let count = 0;
  for (const character of text) {
    if (character === '=') break;
    const digit = ALPHABET.indexOf(character);
    if (digit < 0) continue;
    bits = ((bits << 6) | digit) & 0xffffff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push((bits >> count) & 0xff);
    }
  }
  return Uint8Array.from(bytes);
}
