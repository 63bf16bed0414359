import { isUtf8 } from 'node:buffer';
import { YamlError } from './yaml-error.ts';

/**
 * The text of a YAML file, without a byte order mark.
 *
 * @throws YamlError in libyaml's words when the bytes are not UTF-8, be it in a comment
 */
export function decodeYaml(bytes: Uint8Array): string {
  // libyaml reads before it parses: it knows no better place.
  if (!isUtf8(bytes)) throw new YamlError('syntax', problemOf(bytes), { line: 1, column: 1 });
  return new TextDecoder().decode(bytes);
}

/** @see libyaml, yaml_parser_update_buffer */
function problemOf(bytes: Uint8Array): string {
  let at = 0;
  while (at < bytes.length) {
    const octet = bytes[at] ?? 0;
    const width = widthOf(octet);
    if (width === 0) return 'invalid leading UTF-8 octet';
    if (at + width > bytes.length) return 'incomplete UTF-8 octet sequence';
    let value = width === 1 ? octet : octet & (0xff >> (width + 1));
    for (const trailing of bytes.subarray(at + 1, at + width)) {
      if ((trailing & 0xc0) !== 0x80) return 'invalid trailing UTF-8 octet';
      value = value * 64 + (trailing & 0x3f);
    }
    if (value < (SMALLEST[width] ?? 0)) return 'invalid length of a UTF-8 sequence';
    if ((value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff) return 'invalid Unicode character';
    at += width;
  }
  return 'incomplete UTF-8 octet sequence';
}

/** What a sequence of so many bytes has to be needed for. */
const SMALLEST: readonly number[] = [0, 0, 0x80, 0x800, 0x10000];

function widthOf(octet: number): number {
  if (octet < 0x80) return 1;
  if ((octet & 0xe0) === 0xc0) return 2;
  if ((octet & 0xf0) === 0xe0) return 3;
  return (octet & 0xf8) === 0xf0 ? 4 : 0;
}
