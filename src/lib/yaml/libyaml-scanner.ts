/** libyaml's scanner, as far as it decides whether a text is YAML: it is asked where our parser has found a mistake. */

import {
  type Characters,
  isBlank,
  isBlankOrEnd,
  isBreak,
  type Mark,
  syntaxError,
} from './libyaml-characters.ts';
import { scanAnchor, scanDirective, scanTag } from './libyaml-properties.ts';
import { scanBlockScalar, scanPlainScalar, scanQuotedScalar } from './libyaml-scalars.ts';

export type TokenKind =
  | 'stream end'
  | 'directive'
  | 'document start'
  | 'document end'
  | 'block sequence start'
  | 'block mapping start'
  | 'block end'
  | 'flow sequence start'
  | 'flow sequence end'
  | 'flow mapping start'
  | 'flow mapping end'
  | 'block entry'
  | 'flow entry'
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'scalar';

export interface Token {
  readonly kind: TokenKind;
  readonly mark: Mark;
  /** The handle of a tag, `YAML 1.2` or `TAG !handle!` of a directive. */
  readonly text?: string;
}

/** A place that is a key should a colon follow. */
interface SimpleKey {
  isPossible: boolean;
  readonly isRequired: boolean;
  readonly tokenNumber: number;
  readonly mark: Mark;
}

const MAX_KEY_LENGTH = 1024;
const FLOW_STARTS = { '[': 'flow sequence start', '{': 'flow mapping start' } as const;
const FLOW_ENDS = { ']': 'flow sequence end', '}': 'flow mapping end' } as const;

export class LibyamlScanner {
  readonly characters: Characters;
  indent = -1;
  deepestIndent = 0;
  flowLevel = 0;
  isKeyAllowed = true;
  private readonly tokens: Token[] = [];
  private readonly indents: number[] = [];
  private readonly keys: (SimpleKey | undefined)[] = [undefined];
  /** No level below this one has a possible key: to look at all levels for each token takes seconds where they are thousands. */
  private lowestLevel = 0;
  private taken = 0;

  constructor(characters: Characters) {
    this.characters = characters;
  }

  /** The next token. @throws YamlError in libyaml's words */
  peek(): Token {
    while (this.needsMore()) this.fetch();
    const [token] = this.tokens;
    if (token === undefined) throw new Error('nothing is read behind the end of a stream');
    return token;
  }

  skip(): void {
    this.tokens.shift();
    this.taken += 1;
  }

  private needsMore(): boolean {
    if (this.tokens.length === 0) return true;
    this.dropStaleKeys();
    // Those of higher levels come later.
    return this.lowestKey()?.tokenNumber === this.taken;
  }

  /** Of those that are possible. */
  private lowestKey(): SimpleKey | undefined {
    for (;;) {
      const key = this.keys[this.lowestLevel];
      if (key?.isPossible === true) return key;
      if (this.lowestLevel >= this.keys.length - 1) return undefined;
      this.lowestLevel += 1;
    }
  }

  private fetch(): void {
    this.skipToToken();
    this.dropStaleKeys();
    const { characters } = this;
    this.unroll(characters.mark.column);
    if (characters.isAtEnd) return this.fetchEnd();
    if (characters.mark.column === 0) {
      if (characters.peek() === '%') return this.fetchDirective();
      const marker = characters.documentMarker();
      if (marker !== undefined) return this.fetchMarker(marker);
    }
    this.fetchContent();
  }

  private fetchContent(): void {
    const { characters } = this;
    const character = characters.peek();
    const isAlone = isBlankOrEnd(characters.peek(1));
    const isFlow = this.flowLevel > 0;
    if (character === '[' || character === '{') return this.fetchFlowStart(FLOW_STARTS[character]);
    if (character === ']' || character === '}') return this.fetchFlowEnd(FLOW_ENDS[character]);
    if (character === ',') return this.fetchFlowEntry();
    if (character === '-' && isAlone) return this.fetchBlockEntry();
    if (character === '?' && (isFlow || isAlone)) return this.fetchKey();
    if (character === ':' && (isFlow || isAlone)) return this.fetchValue();
    if (character === '*' || character === '&') return this.fetchAnchor(character);
    if (character === '!') return this.fetchTag();
    if ((character === '|' || character === '>') && !isFlow) return this.fetchBlockScalar();
    if (character === "'" || character === '"') return this.fetchScalar(() => scanQuotedScalar(this));
    const isPlain = !(isBlankOrEnd(character) || '-?:,[]{}#&*!|>\'"%@`'.includes(character));
    const isPlainDash = character === '-' && !isBlank(characters.peek(1));
    const isPlainMark = !isFlow && (character === '?' || character === ':') && !isAlone;
    if (isPlain || isPlainDash || isPlainMark) return this.fetchScalar(() => scanPlainScalar(this));
    throw syntaxError(
      'found character that cannot start any token',
      'while scanning for the next token',
      characters.mark,
    );
  }

  private skipToToken(): void {
    const { characters } = this;
    for (;;) {
      if (characters.peek() === '\ufeff' && characters.isAtStart) characters.skip();
      while (characters.peek() === ' ' || (characters.peek() === '\t' && this.isTabAllowed))
        characters.skipSeparator();
      if (characters.peek() === '#')
        while (!isBreak(characters.peek()) && !characters.isAtEnd) characters.skip();
      if (!isBreak(characters.peek())) return;
      characters.skipBreak();
      if (this.flowLevel === 0) this.isKeyAllowed = true;
    }
  }

  private get isTabAllowed(): boolean {
    return this.flowLevel > 0 || !this.isKeyAllowed;
  }

  private push(kind: TokenKind, mark: Mark, text = ''): void {
    this.tokens.push({ kind, mark, text });
  }

  private fetchEnd(): void {
    this.characters.endLine();
    this.unroll(-1);
    this.removeKey();
    this.isKeyAllowed = false;
    this.push('stream end', this.characters.mark);
  }

  private fetchDirective(): void {
    this.unroll(-1);
    this.removeKey();
    this.isKeyAllowed = false;
    const { mark } = this.characters;
    this.push('directive', mark, scanDirective(this.characters));
  }

  private fetchMarker(kind: 'document start' | 'document end'): void {
    this.unroll(-1);
    this.removeKey();
    this.isKeyAllowed = false;
    this.push(kind, this.characters.mark);
    for (let count = 0; count < 3; count++) this.characters.skip();
  }

  private fetchFlowStart(kind: TokenKind): void {
    this.saveKey();
    this.keys.push(undefined);
    this.flowLevel += 1;
    this.characters.isIndentationFree = true;
    this.isKeyAllowed = true;
    this.pushOne(kind);
  }

  private fetchFlowEnd(kind: TokenKind): void {
    this.removeKey();
    if (this.flowLevel > 0) {
      this.flowLevel -= 1;
      this.characters.isIndentationFree = this.flowLevel > 0;
      this.keys.pop();
      this.lowestLevel = Math.min(this.lowestLevel, this.keys.length - 1);
    }
    this.isKeyAllowed = false;
    this.pushOne(kind);
  }

  private fetchFlowEntry(): void {
    this.removeKey();
    this.isKeyAllowed = true;
    this.pushOne('flow entry');
  }

  private fetchBlockEntry(): void {
    if (this.flowLevel === 0) {
      this.requireKeyAllowed('block sequence entries are not allowed in this context');
      this.roll(this.characters.mark.column, 'block sequence start', this.characters.mark);
    }
    this.removeKey();
    this.isKeyAllowed = true;
    this.pushOne('block entry');
  }

  private fetchKey(): void {
    if (this.flowLevel === 0) {
      this.requireKeyAllowed('mapping keys are not allowed in this context');
      this.roll(this.characters.mark.column, 'block mapping start', this.characters.mark);
    }
    this.removeKey();
    this.isKeyAllowed = this.flowLevel === 0;
    this.pushOne('key');
  }

  private fetchValue(): void {
    const key = this.keys.at(-1);
    const { mark } = this.characters;
    if (key?.isPossible === true) {
      this.tokens.splice(key.tokenNumber - this.taken, 0, { kind: 'key', mark: key.mark });
      this.roll(key.mark.column, 'block mapping start', key.mark, key.tokenNumber);
      key.isPossible = false;
      this.isKeyAllowed = false;
    } else {
      if (this.flowLevel === 0) {
        this.requireKeyAllowed('mapping values are not allowed in this context');
        this.roll(mark.column, 'block mapping start', mark);
      }
      this.isKeyAllowed = this.flowLevel === 0;
    }
    this.pushOne('value');
  }

  private fetchAnchor(indicator: '*' | '&'): void {
    this.saveKey();
    this.isKeyAllowed = false;
    const { mark } = this.characters;
    scanAnchor(this.characters, indicator);
    this.push(indicator === '*' ? 'alias' : 'anchor', mark);
  }

  private fetchTag(): void {
    this.saveKey();
    this.isKeyAllowed = false;
    const { mark } = this.characters;
    this.push('tag', mark, scanTag(this.characters, this.flowLevel > 0));
  }

  private fetchBlockScalar(): void {
    this.removeKey();
    this.isKeyAllowed = true;
    const { mark } = this.characters;
    scanBlockScalar(this);
    this.push('scalar', mark);
  }

  private fetchScalar(scan: () => void): void {
    this.saveKey();
    this.isKeyAllowed = false;
    const { mark } = this.characters;
    scan();
    this.push('scalar', mark);
  }

  private pushOne(kind: TokenKind): void {
    this.push(kind, this.characters.mark);
    this.characters.skip();
  }

  private requireKeyAllowed(problem: string): void {
    if (!this.isKeyAllowed) throw syntaxError(problem, undefined, this.characters.mark);
  }

  /** A key is on one line, and short. Those of lower levels began earlier. */
  private dropStaleKeys(): void {
    const { mark } = this.characters;
    for (let key = this.lowestKey(); key !== undefined; key = this.lowestKey()) {
      if (key.mark.line === mark.line && key.mark.index + MAX_KEY_LENGTH >= mark.index) return;
      drop(key);
    }
  }

  private saveKey(): void {
    const { mark } = this.characters;
    if (!this.isKeyAllowed) return;
    this.removeKey();
    this.keys[this.keys.length - 1] = {
      isPossible: true,
      isRequired: this.flowLevel === 0 && this.indent === mark.column,
      tokenNumber: this.taken + this.tokens.length,
      mark,
    };
  }

  private removeKey(): void {
    const key = this.keys.at(-1);
    if (key?.isPossible === true) drop(key);
  }

  /** @param tokenNumber - where the token goes; absent for the end */
  private roll(column: number, kind: TokenKind, mark: Mark, tokenNumber?: number): void {
    if (this.flowLevel > 0 || this.indent >= column) return;
    this.indents.push(this.indent);
    this.indent = column;
    this.deepestIndent = Math.max(this.deepestIndent, column);
    const at = tokenNumber === undefined ? this.tokens.length : tokenNumber - this.taken;
    this.tokens.splice(at, 0, { kind, mark });
  }

  private unroll(column: number): void {
    if (this.flowLevel > 0) return;
    while (this.indent > column) {
      this.push('block end', this.characters.mark);
      this.indent = this.indents.pop() ?? -1;
    }
  }
}

/** @throws YamlError for one at the indentation of the block: there is nothing else that it could be */
function drop(key: SimpleKey): void {
  if (key.isRequired)
    throw syntaxError("could not find expected ':'", 'while scanning a simple key', key.mark);
  key.isPossible = false;
}
