/** The state of one parse: where we are in the tokens, and what was found so far. The grammar is in `parse-*.ts`. */

import type { Definition, SourceText } from '../ast.ts';
import { PuppetError } from '../diagnostic.ts';
import { type IssueCode, type IssueValues, issueText } from '../issues.ts';
import type { Tokens } from '../lex/lexer.ts';
import { Token } from '../lex/token.ts';
import type { TokenList } from '../lex/token-list.ts';
import type { Locator } from '../locator.ts';

/** How deep expressions may nest. The reference would exhaust its stack at some depth, and so would the evaluator. */
const MAX_DEPTH = 400;

/** How high a tree may get; a long chain of operators makes a high tree without nesting. */
const MAX_HEIGHT = 1000;

/** What parse functions may still change before the tree is handed out. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export class Parser {
  readonly source: SourceText;
  readonly locator: Locator;
  readonly definitions: Definition[] = [];
  /** The names of the classes that we are in, as written. */
  readonly namespace: string[] = [];
  private readonly tokens: TokenList;
  private index = 0;
  private depth = 0;
  /** The height of the highest tree among those read since the latest `enter`. */
  private height = 0;
  /** The kind of the current token. */
  kind: number;

  constructor(source: SourceText, tokens: Tokens) {
    this.source = source;
    this.locator = tokens.locator;
    this.tokens = tokens.list;
    this.kind = tokens.list.kinds[0] ?? Token.end;
  }

  /** Where the current token starts. */
  get offset(): number {
    return this.tokens.offsets[this.index] ?? 0;
  }

  get length(): number {
    return this.tokens.lengths[this.index] ?? 0;
  }

  /** Where the current token ends. */
  get end(): number {
    return this.offset + this.length;
  }

  /** Where the token before the current one ended. */
  get previousEnd(): number {
    return (this.tokens.offsets[this.index - 1] ?? 0) + (this.tokens.lengths[this.index - 1] ?? 0);
  }

  get value(): string {
    return this.tokens.values[this.index] ?? '';
  }

  /** The kind of the token after the current one. */
  peek(): number {
    return this.tokens.kinds[this.index + 1] ?? Token.end;
  }

  next(): void {
    this.index++;
    this.kind = this.tokens.kinds[this.index] ?? Token.end;
  }

  /** Is the current token of that kind? Unlike a comparison, it narrows nothing. */
  at(kind: number): boolean {
    return this.kind === kind;
  }

  /** Moves past the current token if it is of that kind. */
  accept(kind: number): boolean {
    if (this.kind !== kind) return false;
    this.next();
    return true;
  }

  /** Moves past the current token, which must be of that kind; returns where it started. */
  expect(kind: number): number {
    if (this.kind !== kind) throw this.syntaxError();
    const { offset } = this;
    this.next();
    return offset;
  }

  /** Begins something that nests; what it returns is for `leave`. */
  enter(): number {
    this.depth++;
    if (this.depth > MAX_DEPTH) throw this.error('nesting_too_deep', {}, this.offset);
    const outer = this.height;
    this.height = 0;
    return outer;
  }

  leave(outer: number): void {
    this.depth--;
    this.grow();
    if (outer > this.height) this.height = outer;
  }

  /** A node was put on top of those read since the latest `enter`. */
  grow(): void {
    this.height++;
    if (this.height > MAX_HEIGHT) throw this.error('nesting_too_deep', {}, this.offset);
  }

  /** The current token doesn't fit; if it is where the lexer gave up, then that is the error. */
  syntaxError(): PuppetError {
    if (this.kind === Token.error && this.tokens.error !== undefined) return this.tokens.error;
    if (this.kind === Token.end) return this.errorAtEnd();
    const text = this.kind === Token.regex ? `(?-mix:${this.value})` : this.value;
    return this.error('syntax_error', { where: `'${text}'` }, this.offset);
  }

  error<C extends IssueCode>(code: C, values: IssueValues[C], offset: number): PuppetError {
    const message = issueText(code, values);
    return new PuppetError({ code, severity: 'error', message, ...this.locator.position(offset) });
  }

  errorWithoutPosition<C extends IssueCode>(code: C, values: IssueValues[C]): PuppetError {
    return new PuppetError({ code, severity: 'error', message: issueText(code, values) });
  }

  /** At the end of the input the reference names the file only. */
  private errorAtEnd(): PuppetError {
    const { file } = this.source;
    const message = issueText('syntax_error', { where: 'end of input' });
    const at = file === '' ? {} : { file };
    return new PuppetError({ code: 'syntax_error', severity: 'error', message, ...at });
  }
}
