/** Matching with patterns as Ruby's methods do it: they leave the last match behind. */

import { RegexpValue, type Value } from '../../pcore/index.ts';
import type { Run } from '../run.ts';
import { giveUp, raise } from '../signals.ts';
import { RubyMatch } from './ruby-values.ts';
import { toText } from './text.ts';

/** The first match, which becomes `$~`. */
export function match(pattern: RegexpValue, text: string, run: Run): RubyMatch | null {
  const found = pattern.exec(text);
  run.match = found === null ? null : new RubyMatch(found);
  return run.match;
}

/** `=~`: the position in characters. */
export function matchPosition(pattern: Value, text: Value, run: Run): Value {
  if (!(pattern instanceof RegexpValue)) return giveUp('=~ without a regular expression');
  if (text === null) {
    run.match = null;
    return null;
  }
  if (typeof text !== 'string') return giveUp('=~ with something else');
  const found = match(pattern, text, run);
  return found === null ? null : characters(text.slice(0, found.found.index));
}

/** Length in characters. */
export function characters(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xdc00 && unit <= 0xdfff) count -= 1;
  }
  return count;
}

export function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return /^[\u0000-\u007f]*$/.test(text);
}

export type Replacement = (found: RegExpExecArray | undefined, whole: string) => string;

/** `gsub` and `sub`. @param replace - is told of the match, or of the text where the pattern is a string */
export function substitute(
  subject: string,
  pattern: Value,
  replace: Replacement,
  options: { readonly isGlobal: boolean; readonly run: Run },
): string {
  if (pattern instanceof RegexpValue) return substitutePattern(subject, pattern, replace, options);
  if (typeof pattern !== 'string') return pattern === null ? wrongPattern() : giveUp('an invalid pattern');
  if (pattern === '') return giveUp('an empty pattern');
  if (options.isGlobal)
    return subject.split(pattern).reduce((out, part) => out + replace(undefined, pattern) + part);
  const start = subject.indexOf(pattern);
  if (start === -1) return subject;
  return subject.slice(0, start) + replace(undefined, pattern) + subject.slice(start + pattern.length);
}

function wrongPattern(): never {
  return raise('wrong argument type nil (expected Regexp)');
}

function substitutePattern(
  subject: string,
  pattern: RegexpValue,
  replace: Replacement,
  { isGlobal, run }: { readonly isGlobal: boolean; readonly run: Run },
): string {
  let out = '';
  let position = 0;
  let last: RubyMatch | null = null;
  for (const found of pattern.matchAll(subject)) {
    last = new RubyMatch(found);
    run.match = last;
    out += subject.slice(position, found.index) + replace(found, found[0]);
    position = found.index + found[0].length;
    if (!isGlobal) break;
  }
  run.match = last;
  return out + subject.slice(position);
}

const REFERENCE = /\\(?:([0-9&`'\\])|k<([^>]*)>)/g;

/** A replacement that is given as text: `\1`, `\0`, `\\`, `\k<name>`. */
export function templateReplacement(template: string): Replacement {
  if (!template.includes('\\')) return () => template;
  return (found, whole) =>
    template.replace(REFERENCE, (_reference: string, sign: string | undefined, name: string | undefined) => {
      if (sign === '\\') return '\\';
      if (sign === '0' || sign === '&') return whole;
      if (sign === '`' || sign === "'") return giveUp('text around a match');
      if (sign !== undefined) return found?.[Number(sign)] ?? '';
      const groups = found?.groups;
      return groups !== undefined && name !== undefined && name in groups
        ? (groups[name] ?? '')
        : giveUp('a named reference');
    });
}

/** A replacement by a hash. */
export function lookupReplacement(find: (key: string) => Value): Replacement {
  return (_found, whole) => toText(find(whole));
}
