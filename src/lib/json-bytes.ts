/**
 * JSON with bytes that are not UTF-8, as agents send it with `preferred_serialization_format = pson`. Each such byte becomes
 * the escape of half a character, U+DC80 to U+DCFF, which no text has: it survives parsing, cutting and writing.
 */

import { isUtf8 } from 'node:buffer';
import { utf8Sequence } from './utf8-sequence.ts';

/** The text of JSON; bytes that are not UTF-8 as escapes. */
export function jsonText(bytes: Uint8Array): string {
  return decoded(bytes, (byte) => `\\u${(halves + byte).toString(16)}`);
}

/** A string as parsing JSON gives it; `bytesOfString` gives the bytes back. */
export function stringOfBytes(bytes: Uint8Array): string {
  return decoded(bytes, (byte) => String.fromCharCode(halves + byte));
}

/** The half of a character that stands for the byte 0. */
const halves = 0xdc00;

function decoded(bytes: Uint8Array, standIn: (byte: number) => string): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf8(buffer)) return buffer.toString('utf8');
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < buffer.length; ) {
    const sequence = utf8Sequence(buffer, at);
    if (typeof sequence === 'number') at += sequence;
    else {
      parts.push(buffer.toString('utf8', start, at), standIn(buffer[at] ?? 0));
      at += 1;
      start = at;
    }
  }
  return parts.join('') + buffer.toString('utf8', start);
}

/** An escape, characters of two halves as one. */
const escapes =
  /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[dD][cC][89a-fA-F][0-9a-fA-F]|[\s\S])/g;
const byteEscape = /^\\u[dD][cC]/;

/** JSON in which U+FFFD stands for each byte; the same text where there are none. */
export function withoutBytes(json: string): string {
  if (!/\\u[dD][cC]/.test(json)) return json;
  return json.replace(escapes, (escape) => (byteEscape.test(escape) ? '\ufffd' : escape));
}

/** The bytes of a string that was parsed; `undefined` where it is text. */
export function bytesOfString(text: string): Uint8Array | undefined {
  if (text.isWellFormed()) return undefined;
  const parts = Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code >= halves + 0x80 && code <= halves + 0xff ? Buffer.of(code - halves) : Buffer.from(character);
  });
  return Buffer.concat(parts);
}
