/** From text to tokens. Strings, heredocs and templates have files of their own. */

import type { SourceText } from '../ast.ts';
import { type Diagnostic, PuppetError } from '../diagnostic.ts';
import { type IssueCode, type IssueValues, issueText } from '../issues.ts';
import { Locator } from '../locator.ts';
import { isBlank, isDigit, isUpper, isWordStart } from './char.ts';
import { lexEpp } from './lex-epp.ts';
import { lexHeredoc } from './lex-heredoc.ts';
import { lexBareWord, lexClassReference, lexColons, lexVariable } from './lex-name.ts';
import { lexNumber } from './lex-number.ts';
import { lexRegexOrDivision } from './lex-regex.ts';
import { lexDoubleQuoted, lexSingleQuoted } from './lex-string.ts';
import { Token } from './token.ts';
import { TokenList } from './token-list.ts';

/** How deep interpolations may nest: each level costs stack. */
const MAX_NESTING = 100;

/** Tokenises one text, or the text of a heredoc inside another. */
export class Lexer {
  readonly text: string;
  readonly tokens: TokenList;
  readonly locator: Locator;
  readonly warnings: Diagnostic[];
  /** Errors that the reference reports only when it builds the tree. */
  readonly late: PuppetError[];
  /** From an offset of this text to one of the file; the identity but in heredocs. */
  readonly toFile: (offset: number) => number;
  pos = 0;
  braceCount = 0;
  /** Where the line begins, as far as `(` cares: strings and comments that span lines don't count. */
  lineStart = 0;
  /** Where to go on at the end of the line, when it has heredocs. */
  newlineJump = -1;
  /** In a template: are we in text, in `<% %>`, or in `<%= %>`? */
  eppMode: 'none' | 'text' | 'epp' | 'expr' = 'none';
  /** The kind of the latest token of this text. */
  after = -1;
  nesting = 0;
  /**
   * What was recognised by a pattern last, from here to there; `-1` when the last try failed. Only an error
   * about a missing quote wants to know: the reference names it.
   */
  matchStart = -1;
  matchEnd = -1;
  /** How many strings with interpolations of this text we are in. */
  stringDepth = 0;

  constructor(text: string, outer: Locator | Lexer, toFile: (offset: number) => number = (offset) => offset) {
    this.text = text;
    this.toFile = toFile;
    this.locator = outer instanceof Lexer ? outer.locator : outer;
    this.tokens = outer instanceof Lexer ? outer.tokens : new TokenList();
    this.warnings = outer instanceof Lexer ? outer.warnings : [];
    this.late = outer instanceof Lexer ? outer.late : [];
    this.nesting = outer instanceof Lexer ? outer.nesting + 1 : 0;
  }

  /** Adds a token that starts at `offset` of this text, without moving. */
  push(kind: number, offset: number, length: number, value: string): void {
    this.after = kind;
    this.pushPart(kind, offset, length, value);
  }

  /** The same for a part of a string: whether a `/` divides depends on what is before the whole. */
  pushPart(kind: number, offset: number, length: number, value: string): void {
    this.tokens.push(kind, this.toFile(offset), length, value);
  }

  /** Adds a token that begins here and moves past it. */
  emit(kind: number, value: string): void {
    this.push(kind, this.pos, value.length, value);
    this.pos += value.length;
  }

  matched(start: number, end: number): void {
    this.matchStart = start;
    this.matchEnd = end;
  }

  code(ahead = 0): number {
    return this.text.charCodeAt(this.pos + ahead);
  }

  /** The error of an issue at an offset of this text, the current one when absent. */
  error<C extends IssueCode>(code: C, values: IssueValues[C], offset = this.pos): PuppetError {
    const at = this.locator.position(this.toFile(offset));
    return new PuppetError({ code, severity: 'error', message: issueText(code, values), ...at });
  }

  errorWithoutPosition<C extends IssueCode>(code: C, values: IssueValues[C]): PuppetError {
    return new PuppetError({ code, severity: 'error', message: issueText(code, values) });
  }

  warn<C extends IssueCode>(code: C, values: IssueValues[C]): void {
    const at = this.locator.position(this.toFile(this.pos));
    this.warnings.push({ code, severity: 'warning', message: issueText(code, values), ...at });
  }

  /** What the reference quotes of the text that follows: `<eof>`, or five characters with breaks made visible. */
  followedBy(): string {
    if (this.pos >= this.text.length) return '<eof>';
    const next = Array.from(this.text.slice(this.pos, this.pos + 10))
      .slice(0, 5)
      .join('');
    return `${next}...`.replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  }

  /** Guards recursion: interpolations hold strings that hold interpolations. */
  enter(): void {
    this.nesting++;
    if (this.nesting > MAX_NESTING) throw this.error('nesting_too_deep', {});
  }

  leave(): void {
    this.nesting--;
  }

  /** Tokenises from here to the end of the text. */
  run(): void {
    while (this.pos < this.text.length) this.step();
  }

  /** Reads one token, or several when it is a string with interpolations, or white space. */
  step(): void {
    const { text } = this;
    const code = text.charCodeAt(this.pos);
    if (isWordStart(code)) return lexBareWord(this);
    if (isDigit(code)) return lexNumber(this);
    if (isUpper(code)) return lexClassReference(this);
    switch (code) {
      case 0x20: // space
      case 0x09: // tab
      case 0x0d: // CR
        return this.skipBlank();
      case 0x0a: // LF
        return this.newline();
      case 0x22: // "
        return lexDoubleQuoted(this);
      case 0x27: // '
        return lexSingleQuoted(this);
      case 0x24: // $
        return lexVariable(this);
      case 0x3a: // :
        return this.code(1) === 0x3a ? lexColons(this) : this.emit(Token.colon, ':');
      case 0x2f: // /
        return this.code(1) === 0x2a ? this.blockComment() : lexRegexOrDivision(this);
      case 0x23: // #
        return this.lineComment();
      case 0x40: // @
        return this.at();
      default:
        return lexOperator(this, code);
    }
  }

  private skipBlank(): void {
    const { text } = this;
    let pos = this.pos + 1;
    for (;;) {
      const code = text.charCodeAt(pos);
      if (code !== 0x20 && code !== 0x0d && !isBlank(code)) break;
      pos++;
    }
    this.pos = pos;
  }

  private newline(): void {
    if (this.newlineJump === -1) {
      this.pos++;
    } else {
      this.pos = this.newlineJump;
      this.newlineJump = -1;
    }
    this.lineStart = this.pos;
  }

  private lineComment(): void {
    const end = this.text.indexOf('\n', this.pos);
    this.pos = end === -1 ? this.text.length : end;
  }

  private blockComment(): void {
    const end = this.text.indexOf('*/', this.pos + 2);
    if (end === -1) throw this.error('unclosed_mlcomment', {});
    this.pos = end + 2;
  }

  private at(): void {
    const next = this.code(1);
    if (next === 0x40) return this.emit(Token.atAt, '@@');
    if (next === 0x28) return lexHeredoc(this);
    this.emit(Token.at, '@');
  }
}

function lexOperator(lexer: Lexer, code: number): void {
  const next = lexer.code(1);
  switch (code) {
    case 0x2c:
      return lexer.emit(Token.comma, ',');
    case 0x2e:
      return lexer.emit(Token.dot, '.');
    case 0x3b:
      return lexer.emit(Token.semic, ';');
    case 0x3f:
      return lexer.emit(Token.qMark, '?');
    case 0x2a:
      return lexer.emit(Token.times, '*');
    case 0x5b: // [
      return lexer.emit(startsList(lexer) ? Token.listStart : Token.lBrack, '[');
    case 0x5d:
      return lexer.emit(Token.rBrack, ']');
    case 0x28: // (
      return lexer.emit(isFirstOnLine(lexer) ? Token.wsLParen : Token.lParen, '(');
    case 0x29:
      return lexer.emit(Token.rParen, ')');
    case 0x7b: // {
      lexer.braceCount++;
      return lexer.emit(lexer.after === Token.qMark ? Token.selBrace : Token.lBrace, '{');
    case 0x7d: // }
      lexer.braceCount--;
      return lexer.emit(Token.rBrace, '}');
    case 0x7c: // |
      if (next !== 0x3e) return lexer.emit(Token.pipe, '|');
      return lexer.code(2) === 0x3e ? lexer.emit(Token.rrCollect, '|>>') : lexer.emit(Token.rCollect, '|>');
    case 0x3d: // =
      if (next === 0x3d) return lexer.emit(Token.isEqual, '==');
      if (next === 0x3e) return lexer.emit(Token.fArrow, '=>');
      return next === 0x7e ? lexer.emit(Token.match, '=~') : lexer.emit(Token.equals, '=');
    case 0x2b: // +
      if (next === 0x3d) return lexer.emit(Token.appends, '+=');
      return next === 0x3e ? lexer.emit(Token.pArrow, '+>') : lexer.emit(Token.plus, '+');
    case 0x21: // !
      if (next === 0x3d) return lexer.emit(Token.notEqual, '!=');
      return next === 0x7e ? lexer.emit(Token.noMatch, '!~') : lexer.emit(Token.not, '!');
    case 0x7e: // ~
      return next === 0x3e ? lexer.emit(Token.inEdgeSub, '~>') : lexer.emit(Token.tilde, '~');
    default:
      return lexAngleOrPercent(lexer, code, next);
  }
}

function lexAngleOrPercent(lexer: Lexer, code: number, next: number): void {
  switch (code) {
    case 0x2d: // -
      if (next === 0x25 && lexer.code(2) === 0x3e && lexer.eppMode !== 'none') return lexEpp(lexer, '-%>');
      if (next === 0x3e) return lexer.emit(Token.inEdge, '->');
      return next === 0x3d ? lexer.emit(Token.deletes, '-=') : lexer.emit(Token.minus, '-');
    case 0x25: // %
      if (next === 0x3e && lexer.eppMode !== 'none') return lexEpp(lexer, '%>');
      return lexer.emit(Token.modulo, '%');
    case 0x3c: // <
      if (next === 0x3c) {
        return lexer.code(2) === 0x7c ? lexer.emit(Token.llCollect, '<<|') : lexer.emit(Token.lShift, '<<');
      }
      if (next === 0x3d) return lexer.emit(Token.lessEqual, '<=');
      if (next === 0x7c) return lexer.emit(Token.lCollect, '<|');
      if (next === 0x2d) return lexer.emit(Token.outEdge, '<-');
      return next === 0x7e ? lexer.emit(Token.outEdgeSub, '<~') : lexer.emit(Token.lessThan, '<');
    case 0x3e: // >
      if (next === 0x3e) return lexer.emit(Token.rShift, '>>');
      return next === 0x3d ? lexer.emit(Token.greaterEqual, '>=') : lexer.emit(Token.greaterThan, '>');
    default:
      return lexOther(lexer, code);
  }
}

function lexOther(lexer: Lexer, code: number): void {
  if (isBlank(code)) {
    lexer.pos++;
    return;
  }
  // The reference quotes nothing of a character that it doesn't know.
  lexer.push(Token.other, lexer.pos, 1, '');
  lexer.pos++;
}

function startsList(lexer: Lexer): boolean {
  if (lexer.pos === 0) return true;
  const before = lexer.text.charCodeAt(lexer.pos - 1);
  return before === 0x0a || before === 0x0d || isBlank(before);
}

function isFirstOnLine(lexer: Lexer): boolean {
  for (let at = lexer.pos - 1; at >= lexer.lineStart; at--) {
    const code = lexer.text.charCodeAt(at);
    if (code !== 0x0d && !isBlank(code)) return false;
  }
  return true;
}

/** What tokenising gives: the list ends with `end`, or with `error` where the text can't be tokenised. */
export interface Tokens {
  readonly list: TokenList;
  readonly locator: Locator;
  /** Things that the lexer would rather not see, such as escapes that mean nothing. */
  readonly warnings: readonly Diagnostic[];
  /** Mistakes that come after those of the grammar. */
  readonly late: readonly PuppetError[];
}

/** Tokenises a manifest. Errors are tokens: a mistake of grammar before them is reported first. */
export function tokenize(source: SourceText): Tokens {
  return tokenizeWith(source, (lexer) => lexer.run());
}

/** Tokenises a template. */
export function tokenizeEpp(source: SourceText): Tokens {
  return tokenizeWith(source, (lexer) => lexEpp(lexer, ''));
}

function tokenizeWith(source: SourceText, run: (lexer: Lexer) => void): Tokens {
  const locator = new Locator(source);
  const lexer = new Lexer(source.text, locator);
  try {
    assertNoByteOrderMark(source);
    run(lexer);
    lexer.push(Token.end, source.text.length, 0, '');
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error;
    lexer.tokens.fail(error, lexer.pos);
  }
  return { list: lexer.tokens, locator, warnings: lexer.warnings, late: lexer.late };
}

function assertNoByteOrderMark({ text }: SourceText): void {
  if (!text.startsWith('\ufeff')) return;
  const values = { formatName: 'UTF-8', bytes: '[EF BB BF]' };
  throw new PuppetError({
    code: 'illegal_bom',
    severity: 'error',
    message: issueText('illegal_bom', values),
  });
}
