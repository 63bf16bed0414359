import { toRegExp } from 'oniguruma-to-es';

import { exhaustionOf } from '../../../lib/exhaustion.ts';
import { regexpMistake, showRegexp } from '../../syntax/index.ts';
import { fault } from '../fault.ts';
import { OpaqueValue } from '../value.ts';
import { translateRubyPattern } from './ruby-pattern.ts';

/** A regular expression in Ruby's dialect. Compiled at first use, then kept. */
export class RegexpValue extends OpaqueValue {
  /** Ruby's source, `/` not escaped. */
  readonly source: string;
  private compiled: RegExp | undefined;

  constructor(source: string) {
    super();
    this.source = source;
  }

  /** @throws PuppetError with Ruby's words when the pattern is wrong, or names a construct that is not supported */
  compile(): RegExp {
    this.compiled ??= compilePattern(this.source);
    return this.compiled;
  }

  test(text: string): boolean {
    const pattern = this.compile();
    pattern.lastIndex = 0;
    return pattern.test(text);
  }

  /** The first match with its groups, from the beginning of `text`. */
  exec(text: string): RegExpExecArray | null {
    const pattern = this.compile();
    pattern.lastIndex = 0;
    return pattern.exec(text);
  }

  /** All matches from left to right, none overlapping. */
  *matchAll(text: string): IterableIterator<RegExpExecArray> {
    const pattern = this.compile();
    let position = 0;
    while (position <= text.length) {
      pattern.lastIndex = position;
      const found = pattern.exec(text);
      if (found === null) return;
      yield found;
      const end = found.index + found[0].length;
      // An empty match moves on by one character, which may be two code units.
      position = found[0] === '' ? end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1) : end;
    }
  }

  /** `/source/` with slashes escaped. */
  toLiteral(): string {
    return `/${showRegexp(this.source)}/`;
  }

  equalityKey(): string {
    return `Regexp:${this.source}`;
  }
}

function compilePattern(source: string): RegExp {
  const mistake = regexpMistake(source);
  if (mistake !== undefined) throw fault(`${mistake}: /${showRegexp(source)}/`, 'invalid_regexp');
  const pattern = translateRubyPattern(source);
  try {
    return toRegExp(pattern, { global: true, lazyCompileLength: Infinity });
  } catch (error) {
    if (exhaustionOf(error) !== undefined) throw error;
    throw fault(`${reasonOf(error)}: /${source}/`, 'invalid_regexp');
  }
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const property = /\\p\{(?:sc=)?([^}]*)\}|property.*?"(?:\\p\{)?\^?([^"}]*)/i.exec(text);
  if (property === null || !/propert/i.test(text)) return text;
  return `invalid character property name {${property[1] ?? property[2] ?? ''}}`;
}
