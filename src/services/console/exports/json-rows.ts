/** Splits a JSON array that arrives in parts into the texts of its elements, without holding the whole array. */

/** Of the array itself its elements are at depth 1. */
const elementDepth = 1;

/**
 * @param parts - the text of one array of objects, split at any place
 * @returns the texts of the objects, those of each part together
 */
export async function* jsonRows(
  parts: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<readonly string[], void, undefined> {
  const decoder = new TextDecoder();
  const scanner = new RowScanner();
  for await (const part of parts) {
    const rows = scanner.read(typeof part === 'string' ? part : decoder.decode(part, { stream: true }));
    if (rows.length > 0) yield rows;
  }
}

class RowScanner {
  private depth = 0;
  private isText = false;
  private isEscaped = false;
  /** The begin of an object whose end has not come yet. */
  private begun = '';

  read(part: string): readonly string[] {
    const rows: string[] = [];
    let start = 0;
    for (let index = 0; index < part.length; index++) {
      const sign = part.charCodeAt(index);
      if (this.isText) this.readText(sign);
      else if (sign === quote) this.isText = true;
      else if (sign === openBrace || sign === openBracket) {
        if (this.depth === elementDepth) start = index;
        this.depth++;
      } else if (sign === closeBrace || sign === closeBracket) {
        this.depth--;
        if (this.depth !== elementDepth) continue;
        rows.push(this.begun + part.slice(start, index + 1));
        this.begun = '';
        start = index + 1;
      }
    }
    if (this.depth > elementDepth) this.begun += part.slice(start);
    return rows;
  }

  private readText(sign: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (sign === backslash) this.isEscaped = true;
    else if (sign === quote) this.isText = false;
  }
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [
  0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d,
];
