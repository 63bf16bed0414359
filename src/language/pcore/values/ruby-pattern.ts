/** What has to be changed in a Ruby pattern before it can be translated. */

import { fault } from '../fault.ts';

/** In Ruby `\w`, `\d` and `\s` mean ASCII alone. */
const OUTSIDE: Readonly<Record<string, string>> = {
  w: '[a-zA-Z0-9_]',
  W: '[^a-zA-Z0-9_]',
  d: '[0-9]',
  D: '[^0-9]',
  s: '[ \\t\\r\\n\\f\\v]',
  S: '[^ \\t\\r\\n\\f\\v]',
};
const INSIDE: Readonly<Record<string, string>> = {
  ...OUTSIDE,
  w: 'a-zA-Z0-9_',
  d: '0-9',
  s: ' \\t\\r\\n\\f\\v',
};

/** Only Ruby lets anchors be repeated as they are. */
const REPEAT = /[*+?{]/;

const UNSUPPORTED: readonly (readonly [RegExp, string])[] = [
  [/^\(\?\(/, 'conditional group'],
  [/^\(\?~/, 'absence operator'],
  [/^\(\?[a-z]*[adu][a-z]*[-:)]/, 'character set option (?a), (?d) or (?u)'],
];

/** A group that may come to nothing, and how often. The order of alternatives says whether it is tried first. */
const OPTIONAL: readonly (readonly [quantifier: RegExp, open: string, close: string])[] = [
  [/^(?:\?|\{0?,1\})\?/, '(?:|', ')'],
  [/^\?\+/, '(?>', '|)'],
  [/^(?:\?|\{0?,1\})/, '(?:', '|)'],
];
/** Without one of these a group matches at least one character. */
const MAYBE_EMPTY = /[*?|{^$]|\\[bBAzZGKgk]|\(\)/;
const CAPTURE = /\((?!\?)|\(\?<[^=!]|\(\?'/;
/** White space and comments may hold brackets. */
const EXTENDED = /\(\?[a-z]*x|\(\?#/;

/** @throws PuppetError naming a construct that would match differently here */
export function translateRubyPattern(source: string): string {
  let out = '';
  let depth = 0; // of character classes
  const groups: number[] = []; // where they begin in `out`
  const isExtended = EXTENDED.test(source);
  for (let index = 0; index < source.length; index += 1) {
    const character = source.charAt(index);
    if (character === '\\') {
      const next = source.charAt(index + 1);
      const points = next === 'u' ? /^\\u\{([\da-fA-F ]+)\}/.exec(source.slice(index)) : null;
      if (points !== null) {
        const codes = (points[1] ?? '').trim().split(/ +/);
        out += codes.map((code) => `\\x{${code}}`).join('');
        index += points[0].length - 1;
        continue;
      }
      const escape = (depth > 0 ? INSIDE : OUTSIDE)[next] ?? character + next;
      const isAnchor = depth === 0 && /^[bBAzZG]/.test(next) && REPEAT.test(source.charAt(index + 2));
      out += isAnchor ? `(?:${escape})` : escape;
      index += 1;
      continue;
    }
    if (character === '[') {
      const posix = depth > 0 ? /^\[:\^?\w+:\]/.exec(source.slice(index, index + 16)) : null;
      if (posix !== null) {
        out += posix[0];
        index += posix[0].length - 1;
        continue;
      }
      depth += 1;
      const open = /^\[\^?\]?/.exec(source.slice(index, index + 3))?.[0] ?? '[';
      // A bracket that comes first is a plain character.
      out += open.endsWith(']') ? `${open.slice(0, -1)}\\]` : open;
      index += open.length - 1;
      continue;
    }
    if (character === ']' && depth > 0) depth -= 1;
    if (character === '(' && depth === 0) {
      refuseUnsupported(source, index);
      groups.push(out.length);
    }
    if (character === ')' && depth === 0 && !isExtended) {
      const start = groups.pop() ?? 0;
      const optional = withEmptyMatch(`${out.slice(start)})`, source.slice(index + 1, index + 6));
      if (optional !== undefined) {
        out = out.slice(0, start) + optional.text;
        index += optional.quantifier;
        continue;
      }
    }
    const isRepeated = depth === 0 && /[$^]/.test(character) && REPEAT.test(source.charAt(index + 1));
    out += isRepeated ? `(?:${character})` : character;
  }
  return out;
}

/**
 * In Ruby an optional group that matches nothing has matched: what it captured is empty. In JavaScript it has not.
 *
 * @returns `undefined` when that makes no difference
 */
function withEmptyMatch(group: string, rest: string): { text: string; quantifier: number } | undefined {
  if (!CAPTURE.test(group) || !MAYBE_EMPTY.test(group)) return undefined;
  for (const [quantifier, open, close] of OPTIONAL) {
    const found = quantifier.exec(rest)?.[0];
    if (found !== undefined) return { text: open + group + close, quantifier: found.length };
  }
  return undefined;
}

function refuseUnsupported(source: string, index: number): void {
  const rest = source.slice(index, index + 16);
  const found = UNSUPPORTED.find(([pattern]) => pattern.test(rest));
  if (found !== undefined) {
    throw fault(
      `The regular expression /${source}/ uses a ${found[1]}, which is not supported`,
      'unsupported_regexp',
    );
  }
}
