/** Puppet Notation as a tree: for those who want it on several lines, or as JSON. */

import { rawNumber } from '../../lib/raw-json.ts';

export type Notation =
  | { readonly kind: 'call'; readonly name: string; readonly elements: readonly Notation[] }
  | { readonly kind: 'list'; readonly elements: readonly Notation[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [key: string, value: Notation])[] }
  /** As it is written: `"text"`, `1`, `true`, `nil`. */
  | { readonly kind: 'literal'; readonly text: string };

/**
 * Reads what `dump` writes.
 *
 * @see Puppet Extended S-Expression Notation
 */
export function parseNotation(text: string): Notation {
  return new NotationReader(text).read();
}

/** On several lines, each element on its own, as the reference has it. */
export function renderNotation(notation: Notation, indent = ''): string {
  const inner = `${indent}  `;
  const lines = (parts: readonly string[]): string => parts.map((part) => `\n${inner}${part}`).join('');
  switch (notation.kind) {
    case 'literal':
      return notation.text;
    case 'call':
      return `(${notation.name}${lines(notation.elements.map((element) => renderNotation(element, inner)))})`;
    case 'list':
      return `[${lines(notation.elements.map((element) => renderNotation(element, inner)))}]`;
    case 'map':
      return `{${lines(notation.entries.map(([key, value]) => `:${key} ${renderNotation(value, inner)}`))}}`;
    default:
      return notation satisfies never;
  }
}

/** For `JSON.stringify`: calls are `{"^": [...]}`, maps `{"#": [...]}`; numbers keep the form that they have. */
export function notationData(notation: Notation): unknown {
  switch (notation.kind) {
    case 'literal':
      return literalData(notation.text);
    case 'call':
      return { '^': [notation.name, ...notation.elements.map(notationData)] };
    case 'list':
      return notation.elements.map(notationData);
    case 'map':
      return { '#': notation.entries.flatMap(([key, value]) => [key, notationData(value)]) };
    default:
      return notation satisfies never;
  }
}

function literalData(text: string): unknown {
  if (text === 'nil') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  if (text.startsWith('"')) return unquote(text);
  return rawNumber(text);
}

const ESCAPED: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r' };

function unquote(text: string): string {
  return text
    .slice(1, -1)
    .replace(/\\(?:o([0-7]{3})|(.))/gs, (_match, octal: string | undefined, letter: string | undefined) =>
      octal === undefined
        ? (ESCAPED[letter ?? ''] ?? letter ?? '')
        : String.fromCharCode(Number.parseInt(octal, 8)),
    );
}

class NotationReader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  read(): Notation {
    this.skip(/[ ]*/y);
    if (this.take('(')) return { kind: 'call', name: this.skip(/[^ ()]+/y), elements: this.readUntil(')') };
    if (this.take('[')) return { kind: 'list', elements: this.readUntil(']') };
    if (this.take('{')) return { kind: 'map', entries: this.readEntries() };
    return { kind: 'literal', text: this.skip(/"(?:[^"\\]|\\.)*"|[^ ()[\]{}]+/sy) };
  }

  private readUntil(end: string): readonly Notation[] {
    const elements: Notation[] = [];
    while (!this.isAt(end)) elements.push(this.read());
    return elements;
  }

  private readEntries(): readonly (readonly [string, Notation])[] {
    const entries: (readonly [string, Notation])[] = [];
    while (!this.isAt('}')) entries.push([this.skip(/:[^ ]+/y).slice(1), this.read()]);
    return entries;
  }

  private isAt(end: string): boolean {
    this.skip(/[ ]*/y);
    return this.take(end);
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  private skip(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined)
      throw new Error(`no Puppet Notation at ${this.at}: ${this.text.slice(this.at, this.at + 40)}`);
    this.at += found.length;
    return found;
  }
}
