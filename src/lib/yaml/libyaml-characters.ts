/** A text character by character, with places as libyaml counts them. */

import { YamlError } from './yaml-error.ts';

/** From 0. */
export interface Mark {
  readonly index: number;
  readonly line: number;
  readonly column: number;
}

const START: Mark = { index: 0, line: 0, column: 0 };

export class Characters {
  /** Code points: columns are counted in them. */
  private readonly all: string[];
  private at = 0;
  private line = 0;
  private column = 0;
  /** Set within brackets and quotes, where it means nothing how lines are indented. */
  isIndentationFree = false;
  private readonly freeLines: number[] = [];

  constructor(text: string) {
    this.all = Array.from(text);
  }

  get mark(): Mark {
    return { index: this.at, line: this.line, column: this.column };
  }

  get isAtStart(): boolean {
    return this.at === 0;
  }

  get isAtEnd(): boolean {
    return this.at >= this.all.length;
  }

  /** Empty behind the end. */
  peek(ahead = 0): string {
    return this.all[this.at + ahead] ?? '';
  }

  skip(): void {
    this.at += 1;
    this.column += 1;
  }

  /** A blank between tokens, which as well might be a space. */
  skipSeparator(): void {
    this.all[this.at] = ' ';
    this.skip();
  }

  /** A line break, which may be of two characters. */
  skipBreak(): void {
    this.at += this.peek() === '\r' && this.peek(1) === '\n' ? 2 : 1;
    this.line += 1;
    this.column = 0;
    if (this.isIndentationFree) this.freeLines.push(this.at);
  }

  /** The text ends with a line break, whether or not there is one. */
  endLine(): void {
    if (this.column === 0) return;
    this.line += 1;
    this.column = 0;
  }

  /** `---` or `...` at the beginning of a line. */
  documentMarker(): 'document start' | 'document end' | undefined {
    if (this.column !== 0 || !isBlankOrEnd(this.peek(3))) return undefined;
    const text = this.peek() + this.peek(1) + this.peek(2);
    if (text === '---') return 'document start';
    return text === '...' ? 'document end' : undefined;
  }

  /** The text before a place, its separators as spaces, with further ones in front of lines where they mean nothing. */
  textBefore({ index }: Mark, indentation: number): string {
    const blanks = ' '.repeat(indentation);
    const starts = [0, ...this.freeLines.filter((start) => start < index)];
    return starts.map((start, at) => this.all.slice(start, starts[at + 1] ?? index).join('')).join(blanks);
  }
}

export function isBreak(character: string): boolean {
  return character !== '' && '\r\n\u0085\u2028\u2029'.includes(character);
}

export function isBlank(character: string): boolean {
  return character === ' ' || character === '\t';
}

export function isBlankOrEnd(character: string): boolean {
  return character === '' || isBlank(character) || isBreak(character);
}

export function isAlphabetic(character: string): boolean {
  return /^[\w-]$/.test(character);
}

/** As Ruby prints libyaml's errors: with the position of the construct being read. */
export function syntaxError(problem: string, context: string | undefined, mark: Mark = START): YamlError {
  const message = context === undefined ? problem : `${problem} ${context}`;
  return new YamlError('syntax', message, { line: mark.line + 1, column: mark.column + 1 });
}
