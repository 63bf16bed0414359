/** The directives of a Ruby format string: `%[flags][width][.precision]type`, with positions and names. */

import { fault } from '../../pcore/index.ts';

export interface Directive {
  hasSpace: boolean;
  hasAlternative: boolean;
  hasPlus: boolean;
  isLeft: boolean;
  hasZero: boolean;
  width: number | undefined;
  precision: number | undefined;
  /** The conversion: one of `csdiuxXbBofgGeEaAp`; `{` for `%{name}`. */
  type: string;
  /** `%1$s` and the like: which argument, from 1. */
  position: number | undefined;
  /** `<name>` or `{name}`, brackets included. */
  name: string | undefined;
}

/** What a directive may ask for while it is read: the next argument, for `*`. */
export interface StarArguments {
  next(): number;
  at(position: number): number;
}

const FLAGS = ' #+-0';
const LARGEST_WIDTH = 2 ** 31 - 1;

/**
 * Reads the directive after a `%`.
 *
 * @param start - the offset after the `%`
 * @returns the directive with the offset after it; `undefined` for `%%` and its like, which stand for a `%`
 * @throws PuppetError `argument_error` with Ruby's text for what it finds malformed
 */
export function parseDirective(
  format: string,
  start: number,
  stars: StarArguments,
): { readonly directive: Directive | undefined; readonly end: number } {
  return new DirectiveReader(format, start, stars).read();
}

class DirectiveReader {
  private readonly directive: Directive = {
    hasSpace: false,
    hasAlternative: false,
    hasPlus: false,
    isLeft: false,
    hasZero: false,
    width: undefined,
    precision: undefined,
    type: '',
    position: undefined,
    name: undefined,
  };
  private readonly format: string;
  private readonly stars: StarArguments;
  private offset: number;

  constructor(format: string, start: number, stars: StarArguments) {
    this.format = format;
    this.offset = start;
    this.stars = stars;
  }

  read(): { readonly directive: Directive | undefined; readonly end: number } {
    for (;;) {
      const character = this.format[this.offset];
      if (character === undefined) throw fault('incomplete format specifier; use %% (double %) instead');
      if (FLAGS.includes(character)) this.readFlag(character);
      else if (character >= '1' && character <= '9') this.readNumber();
      else if (character === '<' || character === '{') {
        if (this.readName(character)) return { directive: this.directive, end: this.offset };
      } else if (character === '*') this.readStar();
      else if (character === '.') this.readPrecision();
      else return this.finish(character);
    }
  }

  private finish(character: string): { readonly directive: Directive | undefined; readonly end: number } {
    if (character === '%' || character === '\n' || character === '\0') return this.percent(character);
    if (!'csdiuxXbBofgGeEaAp'.includes(character)) throw fault(`malformed format string - %${character}`);
    this.directive.type = character;
    return { directive: this.directive, end: this.offset + 1 };
  }

  private percent(character: string): { readonly directive: undefined; readonly end: number } {
    const { directive } = this;
    const isPlain =
      !directive.hasSpace &&
      !directive.hasAlternative &&
      !directive.hasPlus &&
      !directive.isLeft &&
      !directive.hasZero;
    if (!isPlain || directive.width !== undefined || directive.precision !== undefined)
      throw fault('invalid format character - %');
    return { directive: undefined, end: character === '%' ? this.offset + 1 : this.offset };
  }

  private readFlag(flag: string): void {
    const { directive } = this;
    this.requireNoWidth('flag');
    if (flag === ' ') directive.hasSpace = true;
    else if (flag === '#') directive.hasAlternative = true;
    else if (flag === '+') directive.hasPlus = true;
    else if (flag === '-') directive.isLeft = true;
    else directive.hasZero = true;
    this.offset += 1;
  }

  private requireNoWidth(what: string): void {
    if (this.directive.width !== undefined) throw fault(`${what} after width`);
    if (this.directive.precision !== undefined) throw fault(`${what} after precision`);
  }

  private readNumber(): void {
    const number = this.digits('width');
    if (this.format[this.offset] === '$') {
      if (this.directive.position !== undefined) throw fault(`value given twice - ${number}$`);
      this.directive.position = number;
      this.offset += 1;
      return;
    }
    if (this.directive.width !== undefined) throw fault('width given twice');
    if (this.directive.precision !== undefined) throw fault('width after precision');
    this.directive.width = number;
  }

  private digits(what: 'width' | 'precision'): number {
    let number = 0;
    for (;;) {
      const digit = this.format.charCodeAt(this.offset) - 48;
      if (!(digit >= 0 && digit <= 9)) break;
      number = number * 10 + digit;
      if (number > LARGEST_WIDTH) throw fault(`${what} too big`);
      this.offset += 1;
    }
    if (this.offset >= this.format.length) throw fault('malformed format string - %*[0-9]');
    return number;
  }

  /** @returns true when the directive ends with the name, as `%{name}` does */
  private readName(opening: string): boolean {
    const closing = opening === '<' ? '>' : '}';
    const end = this.format.indexOf(closing, this.offset);
    if (end < 0) throw fault('malformed name - unmatched parenthesis');
    const name = this.format.slice(this.offset, end + 1);
    if (this.directive.name !== undefined) throw fault(`named${name} after ${this.directive.name}`);
    this.directive.name = name;
    this.offset = end + 1;
    if (opening === '{') this.directive.type = '{';
    return opening === '{';
  }

  private readStar(): void {
    if (this.directive.width !== undefined) throw fault('width given twice');
    if (this.directive.precision !== undefined) throw fault('width after precision');
    const width = this.starArgument();
    if (width < 0) this.directive.isLeft = true;
    this.directive.width = Math.abs(width);
  }

  private starArgument(): number {
    this.offset += 1;
    const position = /^([0-9]+)\$/.exec(this.format.slice(this.offset, this.offset + 12));
    if (position === null) return this.stars.next();
    this.offset += position[0].length;
    return this.stars.at(Number(position[1]));
  }

  private readPrecision(): void {
    if (this.directive.precision !== undefined) throw fault('precision given twice');
    this.offset += 1;
    if (this.format[this.offset] === '*') {
      const precision = this.starArgument();
      // A negative precision counts as none.
      if (precision >= 0) this.directive.precision = precision;
      return;
    }
    this.directive.precision = this.digits('precision');
  }
}
