/** Escape sequences of double-quoted strings and heredocs. */

import type { Lexer } from './lexer.ts';

/** Which escapes are known, and whether to say so when another one is met. */
export interface Escapes {
  /** The characters that may follow a backslash; `L` stands for a line break, which disappears. */
  readonly known: ReadonlySet<string>;
  readonly warnsOfOthers: boolean;
}

export const DOUBLE_QUOTE_ESCAPES: Escapes = {
  known: new Set(['\\', '$', "'", '"', 'r', 'n', 't', 's', 'u', 'L']),
  warnsOfOthers: true,
};

const CONTROL: ReadonlyMap<string, string> = new Map([
  ['r', '\r'],
  ['n', '\n'],
  ['t', '\t'],
  ['s', ' '],
]);

/** Replaces the escapes of a text that has at least one backslash. Unknown ones stay as they are. */
export function unescape(lexer: Lexer, raw: string, escapes: Escapes): string {
  const { known } = escapes;
  // Unicode escapes go first, so what they produce may start an escape itself: so it is in the reference.
  const text = known.has('u') && raw.includes('\\u') ? replaceUnicode(lexer, raw) : raw;
  return text.replace(/\\([^\r\n]|\r?\n)/gsu, (whole, char: string) => {
    if (char === '\n' || char === '\r\n') return known.has('L') ? '' : whole;
    if (!known.has(char) || char === 'L') {
      if (escapes.warnsOfOthers) lexer.warn('unrecognized_escape', { ch: char });
      return whole;
    }
    if (char === 'u') {
      lexer.warn('illegal_unicode_escape', {});
      return whole;
    }
    return CONTROL.get(char) ?? char;
  });
}

/** `\uXXXX` and `\u{X...}` behind an even number of backslashes. */
function replaceUnicode(lexer: Lexer, raw: string): string {
  return raw.replace(/\\(?:u(?:([\da-fA-F]{4})|\{([\da-fA-F]{1,6})\})|.)/gs, (whole, four, braced) => {
    const digits: string | undefined = four ?? braced;
    if (digits === undefined) return whole;
    const codePoint = Number.parseInt(digits, 16);
    if (codePoint > 0x10ffff || (codePoint >= 0xd800 && codePoint <= 0xdfff)) {
      throw lexer.errorWithoutPosition('invalid_byte_sequence', {});
    }
    return String.fromCodePoint(codePoint);
  });
}
