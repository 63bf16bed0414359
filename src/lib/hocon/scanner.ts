/** Characters of a HOCON text, with what every rule of the grammar needs: blanks, comments, strings. */

import { HoconError } from './value.ts';

const notUnquoted = new Set('$"{}[]:=,+#`^?!@*&\\');
const blank = /[\s\ufeff]/;
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

export class HoconScanner {
  readonly text: string;
  position = 0;
  /** Where the count of lines has got to: each substitution asks for its line. */
  private counted = { position: 0, line: 1 };

  constructor(text: string) {
    this.text = text;
  }

  get line(): number {
    if (this.position < this.counted.position) this.counted = { position: 0, line: 1 };
    const { counted } = this;
    const end = Math.min(this.position, this.text.length);
    for (; counted.position < end; counted.position++)
      if (this.text[counted.position] === '\n') counted.line++;
    return counted.line;
  }

  get current(): string {
    return this.text[this.position] ?? '';
  }

  get isAtEnd(): boolean {
    return this.position >= this.text.length;
  }

  startsWith(expected: string): boolean {
    return this.text.startsWith(expected, this.position);
  }

  take(expected: string): boolean {
    if (!this.startsWith(expected)) return false;
    this.position += expected.length;
    return true;
  }

  fail(message: string): never {
    throw new HoconError(message, this.line);
  }

  /** Skips blanks but not the end of the line; returns what was skipped. */
  skipInline(): string {
    const start = this.position;
    while (!this.isAtEnd && this.current !== '\n' && blank.test(this.current)) this.position++;
    return this.text.slice(start, this.position);
  }

  /** Skips blanks, line ends and comments; tells whether a line ended. */
  skipLines(): boolean {
    let hasNewline = false;
    for (;;) {
      this.skipInline();
      if (this.atComment()) this.skipComment();
      else if (this.current === '\n') {
        hasNewline = true;
        this.position++;
      } else return hasNewline;
    }
  }

  atComment(): boolean {
    return this.current === '#' || this.startsWith('//');
  }

  skipComment(): void {
    const end = this.text.indexOf('\n', this.position);
    this.position = end < 0 ? this.text.length : end;
  }

  atUnquoted(): boolean {
    return !this.isAtEnd && !notUnquoted.has(this.current) && !blank.test(this.current) && !this.atComment();
  }

  /** One run of characters that need no quotes, without blanks. */
  unquoted(): string {
    const start = this.position;
    while (this.atUnquoted()) this.position++;
    return this.text.slice(start, this.position);
  }

  quoted(): string {
    if (this.take('"""')) return this.tripleQuoted();
    this.position++;
    let value = '';
    for (;;) {
      const char = this.current;
      if (this.isAtEnd || char === '\n') this.fail('String is not closed');
      this.position++;
      if (char === '"') return value;
      value += char === '\\' ? this.escape() : char;
    }
  }

  private tripleQuoted(): string {
    const start = this.position;
    const close = this.text.indexOf('"""', start);
    if (close < 0) this.fail('Triple-quoted string is not closed');
    // Further quotes before the end belong to the text: """a"""" is a".
    let end = close;
    while (this.text[end + 3] === '"') end++;
    this.position = end + 3;
    return this.text.slice(start, end);
  }

  private escape(): string {
    const char = this.current;
    this.position++;
    if (char === 'u') return this.unicodeEscape();
    const value = escapes[char];
    if (value === undefined)
      this.fail(`Backslash followed by '${char}', this is not a valid escape sequence`);
    return value;
  }

  private unicodeEscape(): string {
    const digits = this.text.slice(this.position, this.position + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.fail(`Malformed hex digits after \\u escape: '${digits}'`);
    this.position += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }
}
