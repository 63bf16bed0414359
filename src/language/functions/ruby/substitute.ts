/** Ruby's `String#sub` and `String#gsub`. */

import { fault, PuppetHash, plainText, type RegexpValue } from '../../pcore/index.ts';
import { matchesIn } from './regexp-matches.ts';

/**
 * Replaces matches of a pattern.
 *
 * @param replacement - text with references (`\1`, `\0`, `\&`, `\k<name>`, ...), or what stands for each matched text
 */
export function substitute(
  text: string,
  pattern: RegexpValue,
  replacement: string | PuppetHash,
  replacesAll: boolean,
): string {
  let result = '';
  let offset = 0;
  for (const match of matchesIn(pattern, text)) {
    result += text.slice(offset, match.index) + replacementFor(match, replacement);
    offset = match.index + match[0].length;
    if (!replacesAll) break;
  }
  return result + text.slice(offset);
}

function replacementFor(match: RegExpExecArray, replacement: string | PuppetHash): string {
  if (replacement instanceof PuppetHash) return plainText(replacement.get(match[0]) ?? null);
  return replacement.includes('\\') ? expand(match, replacement) : replacement;
}

function expand(match: RegExpExecArray, replacement: string): string {
  return replacement.replace(/\\(?:([0-9])|k<([^>]*)>|([\s\S]))/g, (reference, digit, name, other) => {
    if (digit !== undefined) return numberedGroup(match, Number(digit));
    if (name !== undefined) return namedGroup(match, String(name));
    return special(match, String(other)) ?? String(reference);
  });
}

/** Groups have no numbers where some have names. */
function numberedGroup(match: RegExpExecArray, number: number): string {
  return number > 0 && match.groups !== undefined ? '' : (match[number] ?? '');
}

function namedGroup(match: RegExpExecArray, name: string): string {
  if (match.groups === undefined || !(name in match.groups))
    throw fault(`undefined group name reference: ${name}`);
  return match.groups[name] ?? '';
}

function special(match: RegExpExecArray, character: string): string | undefined {
  switch (character) {
    case '&':
      return match[0];
    case '`':
      return match.input.slice(0, match.index);
    case "'":
      return match.input.slice(match.index + match[0].length);
    case '+':
      return match.slice(1).findLast((group) => group !== undefined) ?? '';
    case '\\':
      return '\\';
    default:
      return undefined;
  }
}
