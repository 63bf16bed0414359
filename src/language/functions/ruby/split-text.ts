import type { RegexpValue } from '../../pcore/index.ts';
import { characterLength, matchFrom } from './regexp-matches.ts';

/**
 * `String#split(regexp)`: groups are part of the result, empty texts at its end are not. An empty match splits only
 * when nothing longer matches one character further on.
 */
export function splitText(text: string, pattern: RegexpValue): readonly string[] {
  const parts: string[] = [];
  let partStart = 0;
  let searchStart = 0;
  let wasEmpty = false;
  while (searchStart <= text.length) {
    const match = matchFrom(pattern, text, searchStart);
    if (match === null) break;
    if (match[0] === '' && match.index === searchStart && !wasEmpty) {
      searchStart += characterLength(text, searchStart);
      wasEmpty = true;
      continue;
    }
    parts.push(text.slice(partStart, match.index), ...groupsOf(match));
    partStart = match.index + match[0].length;
    searchStart = partStart;
    wasEmpty = false;
  }
  if (partStart < text.length) parts.push(text.slice(partStart));
  while (parts.at(-1) === '') parts.pop();
  return parts;
}

function groupsOf(match: RegExpExecArray): readonly string[] {
  return match.slice(1).filter((group) => group !== undefined);
}
