/** Regular expressions are Ruby's; those that Ruby can't compile are refused when they are read. */

import { exhaustionOf } from '../../../lib/exhaustion.ts';
import { readClass } from './regexp-class.ts';
import { escapesMistake } from './regexp-escapes.ts';
import { checkDepth, RegexpMistake, readProperty, TOO_DEEP } from './regexp-mistake.ts';

/**
 * Says what is wrong with a regular expression, in Ruby's words; `undefined` when nothing is. Recursion that never
 * ends and names of character properties are left to whatever compiles it.
 *
 * @see Onigmo's regparse.c
 */
export function regexpMistake(source: string): string | undefined {
  const mistake = escapesMistake(source);
  if (mistake !== undefined) return mistake;
  try {
    new RegexpReader(source).read();
    return undefined;
  } catch (error) {
    if (error instanceof RegexpMistake) return error.message;
    // Ruby allows 4095 groups or classes in one another; here the stack may end before.
    if (exhaustionOf(error) === 'stack') return TOO_DEEP;
    throw error;
  }
}

/** How many characters each of the alternatives matches; `undefined` when that varies. */
type Lengths = readonly (number | undefined)[];

const VARYING: Lengths = [undefined];
const NOTHING: Lengths = [0];
const CHARACTER: Lengths = [1];
const MAX_REPEAT = 100_000;

class RegexpReader {
  private readonly source: string;
  private at = 0;
  private isExtended = false;
  private depth = 0;
  private captures = 0;
  /** Lookaheads and groups that keep what they matched: none may be in a lookbehind. */
  private forbidden = 0;
  private readonly names = new Map<string, number>();
  private readonly numbersUsed: number[] = [];
  private readonly called: string[] = [];

  constructor(source: string) {
    this.source = source;
  }

  read(): void {
    this.readAlternatives();
    if (this.at < this.source.length) throw new RegexpMistake('unmatched close parenthesis');
    // Where groups have names, those without do not count.
    if (this.names.size > 0 && this.numbersUsed.length > 0)
      throw new RegexpMistake('numbered backref/call is not allowed. (use name)');
    for (const name of this.called) this.checkCall(name);
    if (this.numbersUsed.some((number) => number > this.captures))
      throw new RegexpMistake('invalid backref number/name');
  }

  private checkCall(name: string): void {
    if (!/^\d+$/.test(name)) {
      if (!this.names.has(name)) throw new RegexpMistake(`undefined name <${name}> reference`);
    } else if (Number(name) > this.captures) throw new RegexpMistake(`undefined group <${name}> reference`);
  }

  private readAlternatives(): Lengths {
    const lengths = [...this.readSequence()];
    while (this.source[this.at] === '|') {
      this.at++;
      lengths.push(...this.readSequence());
    }
    return lengths;
  }

  /** What has only one part is that part: its alternatives are those of the whole. */
  private readSequence(): Lengths {
    const items: Lengths[] = [];
    for (let next = this.source[this.at]; next !== undefined && next !== '|' && next !== ')'; ) {
      const repeat = this.readRepeat();
      if (repeat !== undefined) {
        const repeated = items.pop();
        if (repeated === undefined) throw new RegexpMistake('target of repeat operator is not specified');
        const [length] = only(repeated);
        items.push([length === undefined || repeat < 0 ? undefined : length * repeat]);
      } else {
        const item = this.readItem(next);
        if (item !== undefined) items.push(item);
      }
      next = this.source[this.at];
    }
    const [first = NOTHING] = items;
    if (items.length < 2) return first;
    const lengths = items.map((item) => only(item)[0]);
    return [
      lengths.reduce((sum, length) => (sum === undefined || length === undefined ? undefined : sum + length)),
    ];
  }

  /** How many times, -1 when that varies; `undefined` where no operator for it is. */
  private readRepeat(): number | undefined {
    const rest = this.source.slice(this.at, this.at + 40);
    if (/^[*+?]/.test(rest)) {
      this.at++;
      return -1;
    }
    const [, least = '', most = least] = /^\{(\d*)(?:,(\d*))?/.exec(rest) ?? [];
    if (Number(least) > MAX_REPEAT || Number(most) > MAX_REPEAT)
      throw new RegexpMistake('too big number for repeat range');
    const whole = /^\{(?:\d+(?:,\d*)?|,\d+)\}/.exec(rest)?.[0];
    if (whole === undefined) return undefined;
    if (most !== '' && Number(most) < Number(least))
      throw new RegexpMistake('upper is smaller than lower in repeat range');
    this.at += whole.length;
    return most !== '' && Number(most) === Number(least) ? Number(least) : -1;
  }

  /** @returns `undefined` for what is but a comment */
  private readItem(character: string): Lengths | undefined {
    if (character === '(') return this.readGroup();
    if (character === '\\') return this.readEscape();
    if (character === '[') {
      this.at = readClass(this.source, this.at);
      return CHARACTER;
    }
    const skipped = this.isExtended ? /^(?:\s+|#[^\n]*)/.exec(this.source.slice(this.at))?.[0] : undefined;
    if (skipped !== undefined) {
      this.at += skipped.length;
      return undefined;
    }
    this.at += (this.source.codePointAt(this.at) ?? 0) > 0xffff ? 2 : 1;
    return character === '^' || character === '$' ? NOTHING : CHARACTER;
  }

  // --- groups

  private readGroup(): Lengths | undefined {
    if (this.source[this.at + 1] !== '?') {
      this.captures++;
      this.forbidden += CAPTURE;
      return only(this.readInside(1));
    }
    const rest = this.source.slice(this.at + 2);
    const [kind] = rest;
    if (kind === undefined) throw new RegexpMistake('end pattern in group');
    if (kind === '#') return this.skipComment();
    if (kind === ':') return this.readInside(3);
    if (kind === '>' || kind === '~') return this.readForbidden(VARYING);
    if (kind === '=' || kind === '!') return this.readForbidden(NOTHING);
    if (rest === '<') throw new RegexpMistake('end pattern with unmatched parenthesis');
    if (/^<[=!]/.test(rest)) return this.readLookbehind(rest.startsWith('<!'));
    if (kind === '<' || kind === "'") return this.readNamed(kind === '<' ? '>' : kind);
    return kind === '(' ? this.readConditional() : this.readOptions();
  }

  /** What is in the parentheses, of which so many characters are read. */
  private readInside(opened: number): Lengths {
    const { isExtended } = this;
    this.at += opened;
    this.depth++;
    checkDepth(this.depth);
    const lengths = this.readAlternatives();
    this.depth--;
    if (this.source[this.at] !== ')') throw new RegexpMistake('end pattern with unmatched parenthesis');
    this.at++;
    this.isExtended = isExtended;
    return lengths;
  }

  private readForbidden(lengths: Lengths): Lengths {
    this.forbidden += AHEAD;
    this.readInside(3);
    return lengths;
  }

  private skipComment(): undefined {
    const comment = /^(?:[^\\)]|\\[^])*\)/.exec(this.source.slice(this.at))?.[0];
    if (comment === undefined) throw new RegexpMistake('end pattern in group');
    this.at += comment.length;
    return undefined;
  }

  private readLookbehind(isNegative: boolean): Lengths {
    const before = this.forbidden;
    const lengths = this.readInside(4);
    const found = this.forbidden - before;
    const isRefused = found >= AHEAD || (isNegative && found > 0) || lengths.includes(undefined);
    if (isRefused) throw new RegexpMistake('invalid pattern in look-behind');
    this.forbidden = before;
    return NOTHING;
  }

  private readNamed(close: string): Lengths {
    const name = this.readName(this.at + 3, close);
    if (!/^[\p{L}\p{M}\p{Pc}]/u.test(name)) throw new RegexpMistake(`invalid group name <${name}>`);
    this.captures++;
    this.forbidden += CAPTURE;
    this.names.set(name, this.captures);
    return only(this.readInside(4 + name.length));
  }

  /** The name from an offset up to what closes it. */
  private readName(start: number, close: string): string {
    const rest = this.source.slice(start);
    const [name = ''] = rest.split(close === '>' ? /[>)]/ : /[')]/, 1);
    if (name === '') throw new RegexpMistake('group name is empty');
    if (rest[name.length] !== close) throw new RegexpMistake(`invalid group name <${name}>`);
    return name;
  }

  /** `(?(1)then|else)` */
  private readConditional(): Lengths {
    const condition = /^\((?:(\d+)|<([^>]*)>|'([^']*)')\)/.exec(this.source.slice(this.at + 2));
    if (condition === null) throw new RegexpMistake('undefined group option');
    const [text, number, angled, quoted] = condition;
    const name = angled ?? quoted;
    if (name !== undefined && !this.names.has(name))
      throw new RegexpMistake(`undefined name <${name}> reference`);
    if (number !== undefined && Number(number) > this.captures)
      throw this.source.includes(')', this.at + 2 + text.length)
        ? new RegexpMistake('invalid backref number/name')
        : new RegexpMistake('end pattern with unmatched parenthesis');
    if (this.readInside(2 + text.length).length > 2) throw new RegexpMistake('invalid conditional pattern');
    return VARYING;
  }

  /** `(?i)` is for the rest of its group, `(?i:...)` for its own content. */
  private readOptions(): Lengths {
    const rest = this.source.slice(this.at + 2);
    const [given = ''] = /^[imxadu]*(?:-[imx-]*)?/.exec(rest) ?? [];
    const end = rest[given.length];
    if (end === undefined) throw new RegexpMistake('end pattern in group');
    if ((end !== ')' && end !== ':') || (given === '' && end === ')'))
      throw new RegexpMistake('undefined group option');
    const outside = this.isExtended;
    const [on = '', off = ''] = given.split('-');
    this.isExtended = (this.isExtended || on.includes('x')) && !off.includes('x');
    if (end === ':') {
      const lengths = only(this.readInside(3 + given.length));
      this.isExtended = outside;
      return lengths;
    }
    this.at += 3 + given.length;
    return only(this.readAlternatives());
  }

  // --- escapes

  private readEscape(): Lengths {
    const rest = this.source.slice(this.at + 1);
    const property = readProperty(rest);
    if (property > 0) {
      this.at += 1 + property;
      return CHARACTER;
    }
    if (/^k[<']/.test(rest)) return this.readReference();
    if (/^g[<']/.test(rest)) return this.readCall();
    if (/^[1-9]/.test(rest)) return this.readNumber(/^\d+/.exec(rest)?.[0] ?? '');
    const long = /^(?:u\{[^}]*\}|u[^]{4}|x[\da-f]{1,2}|0[0-7]{0,2}|(?:c|C-|M-)[^])/i.exec(rest)?.[0];
    const length = long?.length ?? ((rest.codePointAt(0) ?? 0) > 0xffff ? 2 : 1);
    this.at += 1 + length;
    if (long?.startsWith('u{') === true) return [long.slice(2, -1).trim().split(/\s+/).length];
    if (/^[AzZGbB]/.test(rest)) return NOTHING;
    return /^[RXK]/.test(rest) ? VARYING : CHARACTER;
  }

  /** Small numbers are references; others are when there are so many groups before, else they are octal. */
  private readNumber(digits: string): Lengths {
    const number = Number(digits);
    if (number <= 9 || number <= this.captures) {
      this.numbersUsed.push(number);
      this.at += 1 + digits.length;
      return VARYING;
    }
    this.at += 1 + (/^[0-7]{1,3}/.exec(digits)?.[0].length ?? 1);
    return CHARACTER;
  }

  private readReference(): Lengths {
    const text = this.readName(this.at + 3, this.source[this.at + 2] === '<' ? '>' : "'");
    this.at += 4 + text.length;
    const number = /^(-?\d+)(?:[+-]\d+)?$/.exec(text)?.[1];
    if (number !== undefined) {
      const absolute = Number(number) < 0 ? this.captures + 1 + Number(number) : Number(number);
      if (absolute <= 0) throw new RegexpMistake('invalid backref number/name');
      this.numbersUsed.push(absolute);
      return VARYING;
    }
    const name = text.replace(/(?<=.)[+-]\d+$/, '');
    if (!this.names.has(name)) throw new RegexpMistake(`undefined name <${name}> reference`);
    return VARYING;
  }

  private readCall(): Lengths {
    const text = this.readName(this.at + 3, this.source[this.at + 2] === '<' ? '>' : "'");
    this.at += 4 + text.length;
    const relative = /^([+-])(\d+)$/.exec(text);
    if (relative === null) {
      this.called.push(text);
      return VARYING;
    }
    const distance = Number(relative[2]);
    const absolute = relative[1] === '+' ? this.captures + distance : this.captures + 1 - distance;
    if (absolute <= 0) throw new RegexpMistake('invalid backref number/name');
    this.called.push(String(absolute));
    return VARYING;
  }
}

const CAPTURE = 1;
const AHEAD = 1_000_000;

/** As one alternative: how long all of them are. */
function only(lengths: Lengths): Lengths {
  const [first] = lengths;
  return lengths.every((length) => length === first) ? [first] : VARYING;
}

/** A regular expression as Ruby shows it: slashes are escaped. */
export function showRegexp(source: string): string {
  return source.replace(/\\.|\//gs, (found) => (found === '/' ? '\\/' : found));
}
