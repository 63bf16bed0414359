import { fault } from '../fault.ts';
import { OpaqueValue, type Value } from '../value.ts';
import { BinaryValue } from './binary-value.ts';

/**
 * A String whose bytes are no text: what Ruby marks as ASCII-8BIT. It comes from `!!binary` in data and from
 * functions written in Ruby; to the type system it is a String, and rich data writes it as a Binary.
 * While all of its bytes are ASCII it equals the same text and mixes with any; otherwise with ASCII only.
 */
export class ByteString extends OpaqueValue {
  /** One character for each byte, U+0000 to U+00FF. */
  readonly text: string;
  readonly isAscii: boolean;

  /** @param text - one character for each byte */
  constructor(text: string) {
    super();
    this.text = text;
    this.isAscii = isAscii(text);
  }

  static fromBytes(bytes: Uint8Array): ByteString {
    return new ByteString(byteText(bytes));
  }
  static fromBase64(text: string): ByteString {
    return ByteString.fromBytes(BinaryValue.fromBase64(text).bytes);
  }

  get bytes(): Uint8Array {
    return Uint8Array.from(this.text, (character) => character.charCodeAt(0));
  }
  toBinary(): BinaryValue {
    return new BinaryValue(this.bytes);
  }

  /** The bytes read as UTF-8; `undefined` when they are something else. */
  asText(): string | undefined {
    if (this.isAscii) return this.text;
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(this.bytes);
    } catch {
      return undefined; // not UTF-8
    }
  }

  /** Whether it is the same as a string that is text. */
  equalsText(text: string): boolean {
    return this.isAscii && this.text === text;
  }

  /** For messages only: the bytes read as UTF-8, with U+FFFD for what is not. */
  override toString(): string {
    return this.isAscii ? this.text : new TextDecoder().decode(this.bytes);
  }
  override asKey(): string | undefined {
    return this.isAscii ? this.text : undefined;
  }
  equalityKey(): string {
    return this.isAscii ? `s${this.text.length}:${this.text}` : `String:${this.text}`;
  }
}

/** A String, whether it is text or bytes. */
export function isText(value: Value): value is string | ByteString {
  return typeof value === 'string' || value instanceof ByteString;
}

/** Each byte of it. */
export function charactersOf({ text }: ByteString): readonly ByteString[] {
  return Array.from(text, (character) => new ByteString(character));
}

/**
 * A String as text, bytes read as UTF-8; `undefined` for other values.
 *
 * @throws PuppetError when the bytes are not UTF-8: replacement characters would be silently wrong
 */
export function textOf(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  return value instanceof ByteString ? textOfBytes(value) : undefined;
}

/** The bytes read as UTF-8. @throws PuppetError in the reference's words when they are something else */
export function textOfBytes(bytes: ByteString): string {
  const text = bytes.asText();
  if (text === undefined) throw fault('invalid byte sequence in UTF-8');
  return text;
}

/**
 * `left + right`, in the encoding that Ruby gives it.
 *
 * @throws PuppetError when both have characters beyond ASCII and only one of them is text
 */
export function joinTexts(left: string | ByteString, right: string | ByteString): string | ByteString {
  if (typeof left === 'string') {
    if (typeof right === 'string') return left + right;
    if (right.isAscii) return left + right.text;
    if (isAscii(left)) return new ByteString(left + right.text);
    throw incompatible('UTF-8', 'ASCII-8BIT');
  }
  if (typeof right !== 'string') return new ByteString(left.text + right.text);
  if (isAscii(right)) return new ByteString(left.text + right);
  if (left.isAscii) return left.text + right;
  throw incompatible('ASCII-8BIT', 'UTF-8');
}

/** The text that a pattern is tried on. @throws PuppetError when bytes and the pattern do not go together */
export function subjectOf(value: string | ByteString, patternSource: string): string {
  if (typeof value === 'string') return value;
  if (value.isAscii || isAscii(patternSource)) return value.text;
  throw fault('incompatible encoding regexp match (UTF-8 regexp with ASCII-8BIT string)');
}

export function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}

function incompatible(left: string, right: string): Error {
  return fault(`incompatible character encodings: ${left} and ${right}`);
}

function byteText(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
