/** libyaml's grammar, as far as it decides whether a text is YAML. */

import { Characters, type Mark, syntaxError } from './libyaml-characters.ts';
import { LibyamlScanner, type TokenKind } from './libyaml-scanner.ts';
import { YamlError } from './yaml-error.ts';

export type LibyamlOutcome =
  | { readonly kind: 'mistake'; readonly error: YamlError }
  /**
   * The text of the first document; others are not read. Lines within brackets and quotes, which may begin anywhere, are
   * indented as YAML 1.2 wants them.
   */
  | { readonly kind: 'document'; readonly text: string };

const CONTROL = /[^\t\n\r\u0020-\u007e\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const AFTER_BLOCK_KEY: ReadonlySet<TokenKind> = new Set(['key', 'value', 'block end']);
const AFTER_INDENTLESS: ReadonlySet<TokenKind> = new Set(['block entry', 'key', 'value', 'block end']);

/** What libyaml says of the first document of a text. */
export function readAsLibyaml(text: string): LibyamlOutcome {
  // Found before anything is read: the reference gives no place.
  if (CONTROL.test(text)) return mistake(syntaxError('control characters are not allowed', undefined));
  const characters = new Characters(text);
  const scanner = new LibyamlScanner(characters);
  try {
    const end = new Grammar(scanner).document();
    return { kind: 'document', text: characters.textBefore(end, scanner.deepestIndent + 1) };
  } catch (error) {
    if (error instanceof YamlError) return mistake(error);
    throw error;
  }
}

function mistake(error: YamlError): LibyamlOutcome {
  return { kind: 'mistake', error };
}

class Grammar {
  private readonly scanner: LibyamlScanner;
  private readonly handles = new Set(['!', '!!']);

  constructor(scanner: LibyamlScanner) {
    this.scanner = scanner;
  }

  /** @returns where the first document ends */
  document(): Mark {
    const kind = this.kind();
    if (kind === 'stream end') return this.mark();
    if (kind === 'directive' || kind === 'document start') {
      this.directives();
      if (this.kind() !== 'document start')
        throw syntaxError('did not find expected <document start>', undefined);
      this.scanner.skip();
      if (this.isAt('directive', 'document start', 'document end', 'stream end')) return this.mark();
    }
    this.node({ isBlock: true, isIndentless: false });
    return this.mark();
  }

  private kind(): TokenKind {
    return this.scanner.peek().kind;
  }

  private mark(): Mark {
    return this.scanner.peek().mark;
  }

  private isAt(...kinds: readonly TokenKind[]): boolean {
    return kinds.includes(this.kind());
  }

  private skipIf(kind: TokenKind): boolean {
    if (this.kind() !== kind) return false;
    this.scanner.skip();
    return true;
  }

  private directives(): void {
    let hasVersion = false;
    const handles = new Set<string>();
    for (; this.kind() === 'directive'; this.scanner.skip()) {
      const [name, value = ''] = (this.scanner.peek().text ?? '').split(' ');
      if (name === 'YAML') {
        if (hasVersion) throw syntaxError('found duplicate %YAML directive', undefined);
        if (value !== '1.1' && value !== '1.2')
          throw syntaxError('found incompatible YAML document', undefined);
        hasVersion = true;
      } else {
        if (handles.has(value)) throw syntaxError('found duplicate %TAG directive', undefined);
        handles.add(value);
        this.handles.add(value);
      }
    }
  }

  private node({
    isBlock,
    isIndentless,
  }: {
    readonly isBlock: boolean;
    readonly isIndentless: boolean;
  }): void {
    const start = this.mark();
    if (this.skipIf('alias')) return;
    const hasProperties = this.properties(start);
    if (isIndentless && this.kind() === 'block entry') return this.indentlessSequence();
    if (this.skipIf('scalar')) return;
    if (this.kind() === 'flow sequence start') return this.flowSequence();
    if (this.kind() === 'flow mapping start') return this.flowMapping();
    if (isBlock && this.kind() === 'block sequence start') return this.blockSequence();
    if (isBlock && this.kind() === 'block mapping start') return this.blockMapping();
    if (hasProperties) return;
    const context = isBlock ? 'while parsing a block node' : 'while parsing a flow node';
    throw syntaxError('did not find expected node content', context, start);
  }

  /** An anchor and a tag, in either order. */
  private properties(start: Mark): boolean {
    const hasAnchor = this.skipIf('anchor');
    const token = this.scanner.peek();
    const hasTag = this.skipIf('tag');
    const hasLateAnchor = !hasAnchor && hasTag && this.skipIf('anchor');
    if (hasTag && token.text !== undefined && token.text !== '' && !this.handles.has(token.text))
      throw syntaxError('found undefined tag handle', 'while parsing a node', start);
    return hasAnchor || hasTag || hasLateAnchor;
  }

  private blockSequence(): void {
    const start = this.mark();
    this.scanner.skip();
    while (this.skipIf('block entry'))
      if (!this.isAt('block entry', 'block end')) this.node({ isBlock: true, isIndentless: false });
    if (this.skipIf('block end')) return;
    throw syntaxError("did not find expected '-' indicator", 'while parsing a block collection', start);
  }

  private indentlessSequence(): void {
    while (this.skipIf('block entry'))
      if (!AFTER_INDENTLESS.has(this.kind())) this.node({ isBlock: true, isIndentless: false });
  }

  private blockMapping(): void {
    const start = this.mark();
    this.scanner.skip();
    while (this.skipIf('key')) {
      if (!AFTER_BLOCK_KEY.has(this.kind())) this.node({ isBlock: true, isIndentless: true });
      if (this.skipIf('value') && !AFTER_BLOCK_KEY.has(this.kind()))
        this.node({ isBlock: true, isIndentless: true });
    }
    if (this.skipIf('block end')) return;
    throw syntaxError('did not find expected key', 'while parsing a block mapping', start);
  }

  private flowSequence(): void {
    const start = this.mark();
    this.scanner.skip();
    for (let isFirst = true; !this.skipIf('flow sequence end'); isFirst = false) {
      if (!isFirst && !this.skipIf('flow entry'))
        throw syntaxError("did not find expected ',' or ']'", 'while parsing a flow sequence', start);
      if (this.skipIf('key')) this.pair();
      else if (this.kind() !== 'flow sequence end') this.node({ isBlock: false, isIndentless: false });
    }
  }

  /** `key: value` in brackets. */
  private pair(): void {
    // The reference skips what follows an empty key, whatever it is.
    if (this.isAt('value', 'flow entry', 'flow sequence end')) this.scanner.skip();
    else this.node({ isBlock: false, isIndentless: false });
    if (this.skipIf('value') && !this.isAt('flow entry', 'flow sequence end'))
      this.node({ isBlock: false, isIndentless: false });
  }

  private flowMapping(): void {
    const start = this.mark();
    this.scanner.skip();
    for (let isFirst = true; !this.skipIf('flow mapping end'); isFirst = false) {
      if (!isFirst && !this.skipIf('flow entry'))
        throw syntaxError("did not find expected ',' or '}'", 'while parsing a flow mapping', start);
      if (this.skipIf('key')) this.flowEntry();
      else if (this.kind() !== 'flow mapping end') this.node({ isBlock: false, isIndentless: false });
    }
  }

  private flowEntry(): void {
    if (!this.isAt('value', 'flow entry', 'flow mapping end'))
      this.node({ isBlock: false, isIndentless: false });
    if (this.skipIf('value') && !this.isAt('flow entry', 'flow mapping end'))
      this.node({ isBlock: false, isIndentless: false });
  }
}
