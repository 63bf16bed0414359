/** The first look that Ruby takes at a regular expression: escapes that stand for characters. */

/**
 * Says what is wrong with escapes, in Ruby's words; `undefined` when nothing is. Ruby looks at them before anything
 * else of the expression.
 *
 * @see Ruby's re.c, `unescape_nonascii`
 */
export function escapesMistake(source: string): string | undefined {
  for (let at = source.indexOf('\\'); at !== -1; at = source.indexOf('\\', at)) {
    const found = readEscape(source, at);
    if (typeof found === 'string') return found;
    at = found;
  }
  return undefined;
}

/** Where the escape ends, or what is wrong with it. */
function readEscape(source: string, at: number): number | string {
  const rest = source.slice(at + 1, at + 80);
  const [letter] = rest;
  if (letter === undefined) return 'too short escape sequence';
  if (letter === 'u') return readUnicode(source, at);
  const isOctal = /^[1-7]/.test(rest) && Number.parseInt(/^[0-7]{1,3}/.exec(rest)?.[0] ?? '', 8) > 0x7f;
  return isOctal || 'xcCM'.includes(letter) ? readCharacter(source, at) : at + 1 + letter.length;
}

function readUnicode(source: string, at: number): number | string {
  const rest = source.slice(at + 2);
  if (rest === '') return 'too short escape sequence';
  if (!rest.startsWith('{')) {
    const digits = /^[\da-f]{4}/i.exec(rest)?.[0];
    if (digits === undefined) return 'invalid Unicode escape';
    return isCharacter(digits) ? at + 6 : 'invalid Unicode range';
  }
  const [text = '', ...list] = /^\{\s*((?:[\da-f]+\s*)*)/i.exec(rest) ?? [];
  const codes = (list[0] ?? '').split(/\s+/).filter((code) => code !== '');
  if (!codes.every(isCharacter)) return 'invalid Unicode range';
  return codes.length > 0 && rest[text.length] === '}' ? at + 3 + text.length : 'invalid Unicode list';
}

function isCharacter(digits: string): boolean {
  const code = Number.parseInt(digits, 16);
  return digits.length <= 6 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

/** A character that is given byte by byte: `\xc3\xa9`. */
function readCharacter(source: string, start: number): number | string {
  const first = readByte(source, start);
  if (typeof first === 'string') return first;
  let { end } = first;
  for (let missing = bytesAfter(first.byte); missing > 0; missing--) {
    if (source[end] !== '\\') return 'too short escaped multibyte character';
    const next = readByte(source, end);
    if (typeof next === 'string') return next;
    if (next.byte < 0x80 || next.byte > 0xbf) return 'invalid multibyte escape';
    end = next.end;
  }
  return bytesAfter(first.byte) < 0 ? 'invalid multibyte escape' : end;
}

/** How many bytes follow in UTF-8; -1 when no character begins like this. */
function bytesAfter(byte: number): number {
  if (byte < 0x80) return 0;
  if (byte < 0xc2 || byte > 0xf4) return -1;
  return byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
}

interface Byte {
  readonly byte: number;
  readonly end: number;
}

function readByte(source: string, at: number): Byte | string {
  const rest = source.slice(at + 1, at + 12);
  const octal = /^[0-7]{1,3}/.exec(rest)?.[0];
  if (octal !== undefined) {
    const byte = Number.parseInt(octal, 8);
    return byte > 0xff ? 'invalid escape code' : { byte, end: at + 1 + octal.length };
  }
  if (rest.startsWith('x')) {
    const digits = /^x([\da-f]{1,2})/i.exec(rest)?.[1];
    if (digits === undefined) return 'invalid hex escape';
    return { byte: Number.parseInt(digits, 16), end: at + 2 + digits.length };
  }
  if (rest.startsWith('M')) return readMarked(source, at, { prefix: 'M-', name: 'meta' });
  if (rest.startsWith('C')) return readMarked(source, at, { prefix: 'C-', name: 'control' });
  return rest.startsWith('c')
    ? readMarked(source, at, { prefix: 'c', name: 'control' })
    : 'unexpected escape sequence';
}

/** `\M-a`, `\C-a`, `\ca`, and one in the other. */
function readMarked(
  source: string,
  at: number,
  { prefix, name }: { readonly prefix: string; readonly name: 'meta' | 'control' },
): Byte | string {
  const start = at + 1 + prefix.length;
  const code = source.charCodeAt(start);
  if (!source.startsWith(prefix, at + 1) || !(code < 0x80)) return `too short ${name} escape`;
  const inner = source[start] === '\\' ? readByte(source, start) : { byte: code, end: start + 1 };
  if (typeof inner === 'string') return inner;
  return { byte: name === 'meta' ? inner.byte | 0x80 : inner.byte & 0x9f, end: inner.end };
}
