/** HOCON text to tree: objects, lists, concatenations and substitutions as written. */

import {
  type ArrayNode,
  define,
  type HoconNode,
  mergeObject,
  type ObjectNode,
  objectNode,
  type ScalarNode,
} from './node.ts';
import { HoconScanner } from './scanner.ts';

/** Gives the text of an included file, or `undefined` when there is none. */
export type IncludeReader = (name: string) => string | undefined;

const maxDepth = 200;
const maxIncludes = 50;

/** @throws HoconError naming the line */
export function parseTree(text: string, include: IncludeReader | undefined, includes = 0): HoconNode {
  return new Parser(text, include, includes).document();
}

class Parser {
  private readonly scanner: HoconScanner;
  private readonly include: IncludeReader | undefined;
  private readonly includes: number;
  private depth = 0;

  constructor(text: string, include: IncludeReader | undefined, includes: number) {
    this.scanner = new HoconScanner(text);
    this.include = include;
    this.includes = includes;
  }

  document(): HoconNode {
    const { scanner } = this;
    scanner.skipLines();
    const root = scanner.current === '[' ? this.array() : this.rootObject();
    scanner.skipLines();
    if (!scanner.isAtEnd) scanner.fail(`Document has trailing text after its end: '${scanner.current}'`);
    return root;
  }

  private rootObject(): ObjectNode {
    if (this.scanner.current === '{') return this.object();
    const root = objectNode();
    this.fields(root, '');
    return root;
  }

  private object(): ObjectNode {
    const node = objectNode();
    this.enter();
    this.fields(node, '}');
    this.depth--;
    return node;
  }

  private enter(): void {
    this.scanner.position++;
    if (++this.depth > maxDepth) this.scanner.fail(`Nested more than ${maxDepth} deep`);
  }

  private fields(target: ObjectNode, close: string): void {
    const { scanner } = this;
    for (;;) {
      scanner.skipLines();
      if (this.atClose(close)) return;
      this.field(target);
      if (!this.separator() && !this.atClose(close, false)) {
        scanner.fail(`Expecting close brace } or a comma, got '${scanner.current}'`);
      }
    }
  }

  /** Between two elements: a comma or at least one line end. */
  private separator(): boolean {
    const hasNewline = this.scanner.skipLines();
    return this.scanner.take(',') || hasNewline;
  }

  private atClose(close: string, consume = true): boolean {
    if (close === '') return this.scanner.isAtEnd;
    if (this.scanner.isAtEnd) this.scanner.fail(`Expecting close ${close} but got the end of the file`);
    if (this.scanner.current !== close) return false;
    if (consume) this.scanner.position++;
    return true;
  }

  private field(target: ObjectNode): void {
    const { scanner } = this;
    if (this.atInclude()) return this.includeInto(target);
    const path = this.keyPath();
    scanner.skipInline();
    if (scanner.current === '{') return define(target, path, this.value());
    if (scanner.take('+=')) return define(target, path, this.appended(path));
    if (!scanner.take(':') && !scanner.take('=')) {
      scanner.fail(`Key '${path.join('.')}' may not be followed by: '${scanner.current}'`);
    }
    scanner.skipLines();
    define(target, path, this.value());
  }

  private appended(path: readonly string[]): HoconNode {
    this.scanner.skipLines();
    const before: HoconNode = { kind: 'substitution', path, isOptional: true, line: this.scanner.line };
    return { kind: 'concat', parts: [before, { kind: 'array', items: [this.value()] }] };
  }

  /** A path of keys: quoted parts are taken whole, unquoted ones are split at dots. */
  private keyPath(): readonly string[] {
    const { scanner } = this;
    const path = [''];
    let isWritten = false;
    const append = (text: string): void => {
      path[path.length - 1] = `${path.at(-1) ?? ''}${text}`;
    };
    for (;;) {
      const space = isWritten ? scanner.skipInline() : '';
      if (scanner.current === '"') append(space + scanner.quoted());
      else if (scanner.atUnquoted()) {
        const [first = '', ...rest] = scanner.unquoted().split('.');
        append(space + first);
        path.push(...rest);
      } else break;
      isWritten = true;
    }
    if (!isWritten) scanner.fail(`Expecting a key, got '${scanner.current}'`);
    return path;
  }

  private value(): HoconNode {
    const { scanner } = this;
    const parts: HoconNode[] = [];
    for (;;) {
      const space = scanner.skipInline();
      const part = this.part();
      if (part === undefined) break;
      if (parts.length > 0 && space !== '') parts.push({ kind: 'space', text: space });
      parts.push(part);
    }
    const [first] = parts;
    if (first === undefined) return scanner.fail(`Expecting a value but got '${scanner.current}'`);
    return parts.length === 1 ? first : concatenated(parts);
  }

  private part(): HoconNode | undefined {
    const { scanner } = this;
    if (scanner.current === '{') return this.object();
    if (scanner.current === '[') return this.array();
    if (scanner.current === '"') return textNode(scanner.quoted());
    if (scanner.startsWith('${')) return this.substitution();
    return scanner.atUnquoted() ? unquotedNode(scanner.unquoted()) : undefined;
  }

  private substitution(): HoconNode {
    const { scanner } = this;
    const line = scanner.line;
    scanner.position += 2;
    const isOptional = scanner.take('?');
    scanner.skipInline();
    const path = this.keyPath();
    scanner.skipInline();
    if (!scanner.take('}')) scanner.fail('Substitution ${ was not closed with a }');
    return { kind: 'substitution', path, isOptional, line };
  }

  private array(): ArrayNode {
    const { scanner } = this;
    const items: HoconNode[] = [];
    this.enter();
    for (;;) {
      scanner.skipLines();
      if (this.atClose(']')) break;
      items.push(this.value());
      if (!this.separator() && !this.atClose(']', false)) {
        scanner.fail(`List should have ended with ] or had a comma, instead had '${scanner.current}'`);
      }
    }
    this.depth--;
    return { kind: 'array', items };
  }

  private atInclude(): boolean {
    const rest = this.scanner.text.slice(this.scanner.position, this.scanner.position + 40);
    return /^include\s+("|file\(|required\(|classpath\(|url\()/.test(rest);
  }

  private includeInto(target: ObjectNode): void {
    const { scanner } = this;
    const match = /^include\s+((?:required\(|file\()*)\s*/.exec(scanner.text.slice(scanner.position));
    scanner.position += match?.[0].length ?? 0;
    if (scanner.current !== '"') scanner.fail('include accepts a quoted file name only');
    const name = scanner.quoted();
    for (let i = (match?.[1] ?? '').split('(').length - 1; i > 0; i--) scanner.take(')');
    if (this.includes >= maxIncludes) scanner.fail(`Too many includes at '${name}'`);
    const text = this.include?.(name);
    if (text === undefined) {
      if ((match?.[1] ?? '').includes('required') || this.include === undefined) {
        scanner.fail(`Cannot include '${name}'`);
      }
      return;
    }
    const included = parseTree(text, this.include, this.includes + 1);
    if (included.kind === 'object') mergeObject(target, included);
  }
}

function textNode(text: string): ScalarNode {
  return { kind: 'scalar', value: text, text };
}

function unquotedNode(text: string): ScalarNode {
  if (text === 'null') return { kind: 'scalar', value: null, text };
  if (text === 'true' || text === 'false') return { kind: 'scalar', value: text === 'true', text };
  if (/^-?\d+$/.test(text)) return { kind: 'scalar', value: BigInt(text), text };
  if (/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return { kind: 'scalar', value: Number(text), text };
  return textNode(text);
}

/** Scalars alone are a string at once: nothing in them waits for a substitution. */
function concatenated(parts: readonly HoconNode[]): HoconNode {
  if (!parts.every((part) => part.kind === 'scalar' || part.kind === 'space'))
    return { kind: 'concat', parts };
  return textNode(parts.map((part) => part.text).join(''));
}
