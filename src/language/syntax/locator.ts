/** From offsets to lines and columns. */

import type { SourceText } from './ast.ts';
import type { Position } from './diagnostic.ts';

/**
 * Turns offsets of a text into positions. Lines end with `\n`; columns count characters (code points), as the
 * reference does. The table of lines is made when the first position is asked for: most texts have no errors,
 * but line numbers of their resources are always needed.
 */
export class Locator {
  readonly source: SourceText;
  private lineStarts: readonly number[] | undefined;
  /** The latest column that was counted. */
  private counted = { offset: -1, column: 0 };

  constructor(source: SourceText) {
    this.source = source;
  }

  /** The line of an offset; the first is 1. */
  line(offset: number): number {
    const starts = this.starts();
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? 0) > offset) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The column of an offset, in characters; the first is 1. */
  column(offset: number): number {
    const { text } = this.source;
    const lineStart = this.starts()[this.line(offset) - 1] ?? 0;
    // Many mistakes on one very long line must not each count from its beginning.
    const goesOn = this.counted.offset >= lineStart && this.counted.offset <= offset;
    let { column } = goesOn ? this.counted : { column: 1 };
    for (let index = goesOn ? this.counted.offset : lineStart; index < offset; index++) {
      const unit = text.charCodeAt(index);
      // The second half of a surrogate pair belongs to the character already counted.
      if (unit < 0xdc00 || unit > 0xdfff) column++;
    }
    this.counted = { offset, column };
    return column;
  }

  /** File, line and column of an offset; a snippet has no file. */
  position(offset: number): Position {
    const at = { line: this.line(offset), column: this.column(offset) };
    return this.source.file === '' ? at : { file: this.source.file, ...at };
  }

  private starts(): readonly number[] {
    this.lineStarts ??= lineStarts(this.source.text);
    return this.lineStarts;
  }
}

/** Where the lines of a text start. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
