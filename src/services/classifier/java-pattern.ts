/** Regular expressions of rules, which are Java's, as those of JavaScript. */

/** As it is written there, in two characters -> as it is written here. */
const differences: readonly (readonly [RegExp, string])[] = [
  [/^\\A$/, '^'],
  [/^\\z$/, '(?![^])'],
  [/^\\Z$/, '(?=\\n?(?![^]))'],
  [/^\\h$/, '[ \\t\\xA0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000]'],
  [/^\\R$/, '(?:\\r\\n|[\\n-\\r\\x85\\u2028\\u2029])'],
  // Possessive quantifiers give nothing back, which changes only how fast a match fails in patterns that people write.
  [/^([*+?}])\+$/, '$1'],
];

/** @returns `undefined` for what is none */
export function javaPattern(text: string): RegExp | undefined {
  try {
    const flags = /^\(\?([ims]+)\)/.exec(text);
    const body = text.slice(flags?.[0].length ?? 0);
    return new RegExp(translated(body), flags?.[1] ?? '');
  } catch {
    // The caller says what it was for.
    return undefined;
  }
}

function translated(text: string): string {
  let result = '';
  let isInClass = false;
  for (let at = 0; at < text.length; ) {
    const found = isInClass ? plain(text, at) : (quoted(text, at) ?? different(text, at) ?? plain(text, at));
    if (found.text === '[') isInClass = true;
    else if (found.text === ']') isInClass = false;
    result += found.text;
    at += found.length;
  }
  return result;
}

interface Piece {
  /** Of the written form. */
  readonly length: number;
  readonly text: string;
}

function quoted(text: string, at: number): Piece | undefined {
  const pattern = /\\Q([^]*?)(?:\\E|$)/y;
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (match === null) return undefined;
  return { length: match[0].length, text: (match[1] ?? '').replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&') };
}

function different(text: string, at: number): Piece | undefined {
  // All of them begin so.
  if (!/[\\*+?}]/.test(text.charAt(at))) return undefined;
  const rest = text.slice(at, at + 2);
  for (const [pattern, replacement] of differences)
    if (pattern.test(rest)) return { length: 2, text: rest.replace(pattern, replacement) };
  return undefined;
}

/** An escape is one thing: `\\\\A` is a backslash and an A. */
function plain(text: string, at: number): Piece {
  const length = text[at] === '\\' ? 2 : 1;
  return { length, text: text.slice(at, at + length) };
}
