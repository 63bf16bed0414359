/** Reads a pattern character by character. */

export class PatternReader {
  private readonly characters: readonly string[];
  private position = 0;

  constructor(text: string) {
    this.characters = Array.from(text);
  }

  get isAtEnd(): boolean {
    return this.position >= this.characters.length;
  }

  /** The next character, or one after it; empty at the end. */
  peek(offset = 0): string {
    return this.characters[this.position + offset] ?? '';
  }

  /** Empty at the end. */
  next(): string {
    const character = this.peek();
    this.position++;
    return character;
  }

  /** Consumes `text` when it comes next. */
  takes(text: string): boolean {
    for (let index = 0; index < text.length; index++) {
      if (this.peek(index) !== text[index]) return false;
    }
    this.position += text.length;
    return true;
  }

  /** Consumes at most `limit` characters that `wanted` matches. */
  takeWhile(wanted: RegExp, limit = Number.POSITIVE_INFINITY): string {
    let taken = '';
    while (taken.length < limit && wanted.test(this.peek())) taken += this.next();
    return taken;
  }
}
