/** Mistakes in a `hiera.yaml`, and the lines that they are on. */

import { LookupError } from './lookup-error.ts';

/** An error that names the configuration and, where it is known, the line. */
export function configIssue(
  source: { readonly path: string | undefined; readonly text: string },
  issue: string,
  message: string,
  line?: number,
): LookupError {
  const file = source.path === undefined ? {} : { file: source.path };
  return new LookupError(message, { issue, position: line === undefined ? file : { ...file, line } });
}

/** The first line at or after `from` (from 1) that matches, comments left out. */
export function lineMatching(text: string, pattern: RegExp, from = 1): number | undefined {
  const lines = text.split('\n');
  for (let index = from - 1; index < lines.length; index++) {
    if (pattern.test(withoutComment(lines[index] ?? ''))) return index + 1;
  }
  return undefined;
}

/** Matches a word where `before` stands in front of it and no part of a word follows. */
export function wordPattern(before: string, word: string): RegExp {
  return new RegExp(`${before}${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?:[^\\w]|$)`);
}

function withoutComment(line: string): string {
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    if (character === quote) quote = '';
    else if (quote === '' && (character === '"' || character === "'")) quote = character;
    else if (character === '#') return line.slice(0, at);
  }
  return line;
}
