/** Where the members of a JSON object are, without reading them. */

export interface Span {
  readonly start: number;
  /** The first byte after it. */
  readonly end: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Key -> where its value is. Nothing is checked but brackets and quotes: who uses a value parses it.
 *
 * @param json - UTF-8
 * @returns `undefined` when this is no object, or not plain enough: a key with an escape, or one that comes twice
 */
export function topLevelMembers(json: Buffer): ReadonlyMap<string, Span> | undefined {
  const members = new Map<string, Span>();
  let at = skipSpace(json, 0);
  if (json[at] !== openBrace) return undefined;
  at = skipSpace(json, at + 1);
  if (json[at] === closeBrace) return members;
  for (;;) {
    const keyEnd = json[at] === quote ? endOfString(json, at) : 0;
    const key = json.toString('utf8', at + 1, keyEnd - 1);
    at = skipSpace(json, keyEnd);
    if (keyEnd === 0 || json[at] !== colon || key.includes('\\') || members.has(key)) return undefined;
    const start = skipSpace(json, at + 1);
    const end = endOfValue(json, start);
    if (end === 0) return undefined;
    members.set(key, { start, end });
    at = skipSpace(json, end);
    if (json[at] === closeBrace) return members;
    if (json[at] !== comma) return undefined;
    at = skipSpace(json, at + 1);
  }
}

/** @returns 0 when it has no end */
function endOfValue(json: Buffer, start: number): number {
  const first = json[start];
  if (first === quote) return endOfString(json, start);
  if (first !== openBrace && first !== openBracket) return endOfLiteral(json, start);
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    switch (json[at]) {
      case quote:
        at = endOfString(json, at) - 1;
        if (at < 0) return 0;
        break;
      case openBrace:
      case openBracket:
        depth++;
        break;
      case closeBrace:
      case closeBracket:
        if (--depth === 0) return at + 1;
        break;
      default:
    }
  }
  return 0;
}

/** @returns the byte after the closing quote, 0 when there is none */
function endOfString(json: Buffer, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const byte = json[at];
    if (byte === quote) return at + 1;
    if (byte === backslash) at++;
  }
  return 0;
}

function endOfLiteral(json: Buffer, start: number): number {
  let at = start;
  while (at < json.length && !isEnd(json[at])) at++;
  return at === start ? 0 : at;
}

function isEnd(byte: number | undefined): boolean {
  return byte === comma || byte === closeBrace || byte === closeBracket || isSpace(byte);
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function skipSpace(json: Buffer, start: number): number {
  let at = start;
  while (isSpace(json[at])) at++;
  return at;
}
