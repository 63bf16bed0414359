/** What is wrong with a sequence of bytes, in libyaml's words. */
export type Utf8Problem =
  | 'invalid leading UTF-8 octet'
  | 'incomplete UTF-8 octet sequence'
  | 'invalid trailing UTF-8 octet'
  | 'invalid length of a UTF-8 sequence'
  | 'invalid Unicode character';

/** The smallest character that needs a sequence of so many bytes. */
const smallest: readonly number[] = [0, 0, 0x80, 0x800, 0x10000];

/** How many bytes the character has that begins at a place, or why there is none. */
export function utf8Sequence(bytes: Uint8Array, at: number): number | Utf8Problem {
  const octet = bytes[at] ?? 0;
  const width = widthOf(octet);
  if (width === 0) return 'invalid leading UTF-8 octet';
  if (at + width > bytes.length) return 'incomplete UTF-8 octet sequence';
  let value = width === 1 ? octet : octet & (0xff >> (width + 1));
  for (let next = at + 1; next < at + width; next += 1) {
    const trailing = bytes[next] ?? 0;
    if ((trailing & 0xc0) !== 0x80) return 'invalid trailing UTF-8 octet';
    value = value * 64 + (trailing & 0x3f);
  }
  if (value < (smallest[width] ?? 0)) return 'invalid length of a UTF-8 sequence';
  const isCharacter = value <= 0x10ffff && (value < 0xd800 || value > 0xdfff);
  return isCharacter ? width : 'invalid Unicode character';
}

function widthOf(octet: number): number {
  if (octet < 0x80) return 1;
  if ((octet & 0xe0) === 0xc0) return 2;
  if ((octet & 0xf0) === 0xe0) return 3;
  return (octet & 0xf8) === 0xf0 ? 4 : 0;
}
