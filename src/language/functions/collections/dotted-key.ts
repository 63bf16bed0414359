import { stripEnd, stripStart } from '../strings/strip-text.ts';

/**
 * Splits a dotted key: `a.b.0` to `['a', 'b', 0]`; quoted segments may have dots in them.
 *
 * @returns `undefined` when it is wrong
 */
export function splitKey(key: string): readonly (string | number)[] | undefined {
  if (!/['".]/.test(key)) return [key];
  const segments: (string | number)[] = [];
  let offset = 0;
  while (offset < key.length) {
    const match = /\s*"[^"]+"\s*|\s*'[^']+'\s*|[^'".]+/y;
    match.lastIndex = offset;
    const text = match.exec(key)?.[0];
    if (text === undefined) return undefined;
    segments.push(segmentOf(stripEnd(stripStart(text))));
    offset += text.length;
    if (offset === key.length) break;
    if (key[offset] !== '.' || offset + 1 === key.length) return undefined;
    offset += 1;
  }
  return segments.length === 0 ? undefined : segments;
}

function segmentOf(text: string): string | number {
  if (text.startsWith('"') || text.startsWith("'")) return text.slice(1, -1);
  return /^[+-]?[0-9]+$/.test(text) ? Number(text) : text;
}
