/** The tokens of one text, as parallel arrays: a big manifest has a hundred thousand of them. */

import type { PuppetError } from '../diagnostic.ts';
import { Token } from './token.ts';

export class TokenList {
  /** What each token is, a `Token`. */
  readonly kinds: number[] = [];
  /** Where each token starts in the text of the file. */
  readonly offsets: number[] = [];
  readonly lengths: number[] = [];
  /** The text of names and the content of strings; of other tokens what was written. */
  readonly values: string[] = [];
  /** What the `error` token at the end of the list stands for. */
  error: PuppetError | undefined;

  push(kind: number, offset: number, length: number, value: string): void {
    this.kinds.push(kind);
    this.offsets.push(offset);
    this.lengths.push(length);
    this.values.push(value);
  }

  get size(): number {
    return this.kinds.length;
  }

  /** Forgets what came after the first `size` tokens. */
  truncate(size: number): void {
    this.kinds.length = size;
    this.offsets.length = size;
    this.lengths.length = size;
    this.values.length = size;
  }

  /** Ends the list with an error, thrown when a reader gets there. */
  fail(error: PuppetError, offset: number): void {
    this.error = error;
    this.push(Token.error, offset, 0, '');
  }
}
