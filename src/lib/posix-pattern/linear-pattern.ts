/** Regular expressions of JavaScript, matched in linear time where they can be. */

import { PatternError } from './pattern-error.ts';
import { PosixPattern } from './posix-pattern.ts';

/** Inside of brackets, as ranges. JavaScript's classes know ASCII alone, save white space. */
const positiveClasses: Readonly<Record<string, string>> = {
  d: '0-9',
  w: '0-9A-Z_a-z',
  s: String.raw`\u0009-\u000d\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff`,
};
const controls: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12, '0': 0 };
const lineEnds = String.raw`\u000a\u000d\u2028\u2029`;

/**
 * Whether a pattern is found in a text, for texts and patterns that come from others: JavaScript's own engine takes years for
 * `(.*a){25}$`.
 *
 * Patterns with what cannot be matched in linear time (look-around, back references), and with rare forms that the two engines
 * may read differently, stay with JavaScript's; so do those that are too complex, which `isTooComplex` tells apart: JavaScript's engine
 * may need years for these.
 */
export class LinearPattern {
  readonly regExp: RegExp;
  private matcher: RegExp | PosixPattern | undefined;

  constructor(regExp: RegExp) {
    this.regExp = regExp;
  }

  get isLinear(): boolean {
    return this.compiled() !== this.regExp;
  }

  /** Whether it could be matched in linear time, was it not for its size: `(.*a){2525}$`. */
  get isTooComplex(): boolean {
    return !this.isLinear && translated(this.regExp) !== undefined;
  }

  test(text: string): boolean {
    return this.compiled().test(text);
  }

  /** When it is needed: patterns that are only checked cost nothing. */
  private compiled(): RegExp | PosixPattern {
    this.matcher ??= linearPattern(this.regExp) ?? this.regExp;
    return this.matcher;
  }

  /** With what the groups captured, by JavaScript's engine: it is asked for texts that match alone. */
  exec(text: string): RegExpExecArray | null {
    return this.test(text) ? this.regExp.exec(text) : null;
  }
}

/** @returns `undefined` for a pattern that only JavaScript's own engine can match */
function linearPattern(regExp: RegExp): PosixPattern | undefined {
  const pattern = translated(regExp);
  if (pattern === undefined) return undefined;
  try {
    return new PosixPattern(pattern);
  } catch (error) {
    if (error instanceof PatternError) return undefined;
    throw error;
  }
}

/** @returns `undefined` when there is no safe translation */
function translated({ flags, source }: RegExp): string | undefined {
  // With `m` anchors mean lines; `u` and `v` have classes of Unicode.
  if (/[^is]/.test(flags) || /[\ud800-\udfff]/.test(source)) return undefined;
  const pattern = new Translation(source, flags.includes('s')).translate();
  return pattern === undefined ? undefined : `${flags.includes('i') ? '(?i)' : ''}${pattern}`;
}

/** From JavaScript's syntax to PostgreSQL's. */
class Translation {
  private readonly source: string;
  private readonly dotMatchesAll: boolean;
  private at = 0;

  constructor(source: string, dotMatchesAll: boolean) {
    this.source = source;
    this.dotMatchesAll = dotMatchesAll;
  }

  /** @returns `undefined` when there is no safe translation */
  translate(): string | undefined {
    let result = '';
    while (this.at < this.source.length) {
      const piece = this.piece();
      if (piece === undefined) return undefined;
      result += piece;
    }
    return result;
  }

  private piece(): string | undefined {
    const rest = this.source.slice(this.at, this.at + 20);
    const [character = ''] = rest;
    const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(rest)?.[0];
    // Whether as much or as little as possible is taken makes no difference to whether there is a match.
    if (quantifier !== undefined) return this.taken(quantifier.length, quantifier.replace(/(.)\?$/, '$1'));
    if (character === '\\') return this.escape();
    if (character === '[') return this.brackets();
    if (character === '(') return this.group(rest);
    this.at += 1;
    if (character === '.') return this.dotMatchesAll ? '.' : `[^${lineEnds}]`;
    if (/[)|^$]/.test(character)) return character;
    return /[0-9A-Za-z]/.test(character) ? character : literal(character.charCodeAt(0));
  }

  private taken(length: number, piece: string): string {
    this.at += length;
    return piece;
  }

  private group(rest: string): string | undefined {
    const named = /^\(\?<[A-Za-z]\w*>/.exec(this.source.slice(this.at))?.[0];
    if (named !== undefined) return this.taken(named.length, '(');
    if (rest.startsWith('(?:')) return this.taken(3, '(?:');
    return rest.startsWith('(?') ? undefined : this.taken(1, '(');
  }

  private escape(): string | undefined {
    const letter = this.source[this.at + 1] ?? '';
    const ranges = positiveClasses[letter.toLowerCase()];
    if (ranges !== undefined && /[dwsDWS]/.test(letter))
      return this.taken(2, `[${letter === letter.toLowerCase() ? '' : '^'}${ranges}]`);
    const code = this.escapedCode();
    return code === undefined ? undefined : literal(code);
  }

  /** @returns the character that an escape stands for; `undefined` for all other escapes */
  private escapedCode(): number | undefined {
    const letter = this.source[this.at + 1] ?? '';
    const hexadecimal = /^\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/.exec(
      this.source.slice(this.at, this.at + 6),
    );
    if (hexadecimal !== null) {
      this.at += hexadecimal[0].length;
      return Number.parseInt(hexadecimal[1] ?? hexadecimal[2] ?? '', 16);
    }
    const code = controls[letter] ?? (/^[^0-9A-Za-z]$/.test(letter) ? letter.charCodeAt(0) : undefined);
    // Another digit makes another character of `\0`.
    if (code === undefined || (letter === '0' && /\d/.test(this.source[this.at + 2] ?? ''))) return undefined;
    this.at += 2;
    return code;
  }

  private brackets(): string | undefined {
    this.at += 1;
    const isNegated = this.source[this.at] === '^';
    if (isNegated) this.at += 1;
    let items = '';
    while (this.source[this.at] !== ']') {
      const item = this.item();
      if (item === undefined) return undefined;
      items += item;
    }
    this.at += 1;
    if (items === '') return isNegated ? '.' : undefined;
    return `[${isNegated ? '^' : ''}${items}]`;
  }

  private item(): string | undefined {
    const ranges = /^\\[dws]/.test(this.source.slice(this.at, this.at + 2))
      ? positiveClasses[this.source[this.at + 1] ?? '']
      : undefined;
    // A hyphen beside a class is a hyphen here and an error there.
    if (ranges !== undefined) return this.source[this.at + 2] === '-' ? undefined : this.taken(2, ranges);
    const from = this.member();
    if (from === undefined || this.source[this.at] !== '-' || this.source[this.at + 1] === ']')
      return from === undefined ? undefined : literal(from);
    this.at += 1;
    const to = this.member();
    return to === undefined ? undefined : `${literal(from)}-${literal(to)}`;
  }

  private member(): number | undefined {
    const character = this.source[this.at];
    if (character === undefined) return undefined;
    if (character === '\\') return this.escapedCode();
    this.at += 1;
    return character.charCodeAt(0);
  }
}

function literal(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
