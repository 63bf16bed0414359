/** Reads PQL's characters; remembers what would have been understood where reading came to its end. */

import { QueryError } from '../query/query-error.ts';

/** How the reference calls white space in its errors. */
export const space = '#"\\s+"';

export class Reader {
  readonly text: string;
  position = 0;
  private furthest = 0;
  private expected: string[] = [];

  constructor(text: string) {
    this.text = text;
  }

  /** Skips white space; @returns whether there was any */
  skipSpace(): boolean {
    const start = this.position;
    while (/\s/.test(this.text.charAt(this.position))) this.position++;
    return this.position > start;
  }

  /** @returns whether the text was there; it is consumed then */
  take(text: string): boolean {
    if (!this.text.startsWith(text, this.position)) return false;
    this.position += text.length;
    return true;
  }

  /** A keyword of letters, of which more would be another word; words within are separated by any white space. */
  takeWord(word: string): boolean {
    const pattern = new RegExp(`${word.replaceAll(' ', '\\s+')}(?![A-Za-z0-9_?])`, 'y');
    return this.takePattern(pattern) !== undefined;
  }

  /** @param pattern - sticky */
  takePattern(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.position;
    const match = pattern.exec(this.text);
    if (match === null) return undefined;
    this.position += match[0].length;
    return match;
  }

  /** Notes what could stand here. */
  expect(...expected: readonly string[]): void {
    if (this.position < this.furthest) return;
    if (this.position > this.furthest) {
      this.furthest = this.position;
      this.expected = [];
    }
    for (const item of expected) if (!this.expected.includes(item)) this.expected.push(item);
  }

  /** What is wrong, at the furthest place that was reached. */
  failure(): QueryError {
    const before = this.text.slice(0, this.furthest);
    const line = before.split('\n').length;
    const column = this.furthest - (before.lastIndexOf('\n') + 1) + 1;
    const shown = this.text === '' ? 'null' : (this.text.split('\n')[line - 1] ?? '');
    const expected =
      this.expected.length === 1 && this.expected[0]?.endsWith(':end-of-string') !== true
        ? `Expected:\n${this.expected[0]}\n`
        : `Expected one of:\n\n${this.expected.join('\n')}\n`;
    const marker = `${' '.repeat(column - 1)}^`;
    return new QueryError(
      `PQL parse error at line ${line}, column ${column}:\n\n${shown}\n${marker}\n\n${expected}`,
    );
  }
}
