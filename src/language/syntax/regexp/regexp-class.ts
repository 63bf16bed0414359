/** Character classes of regular expressions: `[a-z&&[^aeiou][:digit:]]`. */

import { checkDepth, RegexpMistake, readProperty } from './regexp-mistake.ts';

type ClassToken =
  | { readonly kind: 'close' | 'range' | 'and' | 'class' | 'set' }
  | { readonly kind: 'value'; readonly code: number };

const POSIX =
  /^\[:\^?(?:alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit|ascii|word):\]/;
const SETS: ReadonlySet<string> = new Set('dDwWsShH');
const CODES: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, f: 12, v: 11, a: 7, b: 8, e: 27 };
const DASH = 0x2d;

/**
 * Reads a class with those in it.
 *
 * @param start - of the opening bracket
 * @param depth - in how many classes, this one included
 * @returns the offset after the closing one
 * @throws RegexpMistake
 */
export function readClass(source: string, start: number, depth = 1): number {
  checkDepth(depth);
  return new ClassReader(source, start, depth).read();
}

class ClassReader {
  private readonly source: string;
  private at: number;
  private state: 'start' | 'value' | 'range' | 'complete' = 'start';
  /** What came last was a class such as `\d`, with which no range begins. */
  private isAfterClass = false;
  private low = 0;
  private readonly depth: number;

  constructor(source: string, start: number, depth: number) {
    this.depth = depth;
    this.source = source;
    this.at = start + 1;
  }

  read(): number {
    if (this.source[this.at] === '^') this.at++;
    if (this.source[this.at] === ']') {
      // A bracket that comes first is a character, unless it is the only one.
      if (!/^(?:[^\\\]]|\\[^])*\]/.test(this.source.slice(this.at + 1)))
        throw new RegexpMistake('empty char-class');
      this.at++;
      this.take(0x5d);
    }
    for (let token = this.next(); token.kind !== 'close'; token = this.handle(token) ?? this.next());
    return this.at;
  }

  /** @returns the token after it, where that had to be looked at */
  private handle(token: ClassToken): ClassToken | undefined {
    if (token.kind === 'value') this.take(token.code);
    else if (token.kind === 'and') this.state = 'start';
    else if (token.kind === 'set') this.state = 'complete';
    else if (token.kind === 'range') return this.handleDash();
    else {
      if (this.state === 'range') throw new RegexpMistake('char-class value at end of range');
      this.state = 'value';
      this.isAfterClass = true;
    }
    return undefined;
  }

  private handleDash(): ClassToken | undefined {
    if (this.state === 'range') {
      this.take(DASH);
      return undefined;
    }
    const next = this.next();
    if (this.state !== 'value' || next.kind === 'close' || next.kind === 'and') this.take(DASH);
    else if (this.isAfterClass) throw new RegexpMistake('unmatched range specifier in char-class');
    else this.state = 'range';
    return next;
  }

  private take(code: number): void {
    const isEnd = this.state === 'range';
    if (isEnd && this.low > code) throw new RegexpMistake('empty range in char class');
    this.state = isEnd ? 'complete' : 'value';
    this.isAfterClass = false;
    this.low = code;
  }

  private next(): ClassToken {
    const { source, at } = this;
    const code = source.codePointAt(at);
    if (code === undefined) throw new RegexpMistake('premature end of char-class');
    const character = String.fromCodePoint(code);
    this.at += character.length;
    if (character === ']') return { kind: 'close' };
    if (character === '-') return { kind: 'range' };
    if (source.startsWith('&&', at)) {
      this.at++;
      return { kind: 'and' };
    }
    if (character === '[') return this.nextBracket(at);
    return character === '\\' ? this.nextEscape() : { kind: 'value', code };
  }

  private nextBracket(at: number): ClassToken {
    const rest = this.source.slice(at, at + 200);
    const posix = POSIX.exec(rest)?.[0];
    if (posix !== undefined) {
      this.at = at + posix.length;
      return { kind: 'class' };
    }
    if (!/^\[:(?:[^\\\]:]|\\[^]|:(?!\]))*:\]/.test(rest)) {
      this.at = readClass(this.source, at, this.depth + 1);
      return { kind: 'set' };
    }
    if (/^\[:[^:\]]{0,20}:\]/.test(rest)) throw new RegexpMistake('invalid POSIX bracket type');
    return { kind: 'value', code: 0x5b };
  }

  private nextEscape(): ClassToken {
    const rest = this.source.slice(this.at);
    const property = readProperty(rest);
    if (property > 0) {
      this.at += property;
      return { kind: 'class' };
    }
    const number =
      /^(?:x([\da-f]{1,2})|u([\da-f]{4})|u\{\s*(?:[\da-f]+\s+)*([\da-f]+)\s*\}|[0-7]{1,3})/i.exec(rest);
    if (number !== null) {
      const digits = number[1] ?? number[2] ?? number[3];
      this.at += number[0].length;
      return { kind: 'value', code: Number.parseInt(digits ?? number[0], digits === undefined ? 8 : 16) };
    }
    return this.nextLetter(rest);
  }

  private nextLetter(rest: string): ClassToken {
    const code = rest.codePointAt(0);
    if (code === undefined) throw new RegexpMistake('too short escape sequence');
    const letter = String.fromCodePoint(code);
    const control = /^(?:c|C-|M-)([^])/.exec(rest);
    this.at += control === null ? letter.length : control[0].length;
    if (control !== null) return { kind: 'value', code: (control[1] ?? '').charCodeAt(0) & 0x1f };
    return SETS.has(letter) ? { kind: 'class' } : { kind: 'value', code: CODES[letter] ?? code };
  }
}
