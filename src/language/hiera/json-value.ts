/** JSON as values: keys in their order, integers told apart from floats, whatever their size. */

import { bytesOfString } from '../../lib/json-bytes.ts';
import { ByteString, Float, integer, PuppetHash, type Value } from '../pcore/index.ts';

/** A text that is no JSON, in the words of Ruby's parser. */
export class JsonError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'JsonError';
  }
}

const MAX_DEPTH = 100;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const BLANK = /(?:[ \t\r\n]|\/\/[^\n]*\n?|\/\*[^]*?\*\/)*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\[^\u0000-\u001f])*"/y;

/** The last of equal keys counts. @throws JsonError */
export function parseJson(text: string): Value {
  return new JsonParser(text).document();
}

class JsonParser {
  private readonly text: string;
  private at = 0;
  private depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  document(): Value {
    this.skipBlank();
    if (this.at === this.text.length) throw new JsonError("unexpected token at ''");
    const value = this.value();
    this.skipBlank();
    if (this.at < this.text.length) throw this.unexpected(this.at);
    return value;
  }

  /** A scalar that cannot be read is reported where its object begins, as Ruby does. */
  private value(errorAt: number = this.at): Value {
    switch (this.text.charAt(this.at)) {
      case '{':
        return this.nested(() => this.object());
      case '[':
        return this.nested(() => this.array());
      case '"':
        return this.string(errorAt);
      case 't':
        return this.word('true', true, errorAt);
      case 'f':
        return this.word('false', false, errorAt);
      case 'n':
        return this.word('null', null, errorAt);
      default:
        return this.number(errorAt);
    }
  }

  private nested(read: () => Value): Value {
    if (++this.depth > MAX_DEPTH) throw new JsonError(`nesting of ${this.depth} is too deep`);
    const value = read();
    this.depth--;
    return value;
  }

  private object(): Value {
    const start = this.at++;
    const hash = new PuppetHash();
    this.skipBlank();
    if (this.take('}')) return hash;
    for (;;) {
      this.skipBlank();
      if (this.text.charAt(this.at) !== '"') throw this.unexpected(start);
      const key = this.string(start);
      this.skipBlank();
      if (!this.take(':')) throw this.unexpected(start);
      this.skipBlank();
      hash.set(key, this.value(start));
      this.skipBlank();
      if (this.take('}')) return hash;
      if (!this.take(',')) throw this.unexpected(start);
    }
  }

  private array(): Value {
    this.at++;
    const items: Value[] = [];
    this.skipBlank();
    if (this.take(']')) return items;
    for (;;) {
      this.skipBlank();
      items.push(this.value());
      this.skipBlank();
      if (this.take(']')) return items;
      if (!this.take(',')) throw this.unexpected(this.at);
    }
  }

  private string(errorAt: number): string | ByteString {
    STRING.lastIndex = this.at;
    const literal = STRING.exec(this.text)?.[0];
    if (literal === undefined) throw this.unexpected(errorAt);
    this.at += literal.length;
    return textOrBytes(unescape(literal.slice(1, -1)));
  }

  private number(errorAt: number): Value {
    NUMBER.lastIndex = this.at;
    const match = NUMBER.exec(this.text);
    if (match === null) throw this.unexpected(errorAt);
    this.at += match[0].length;
    if (match[1] === undefined && match[2] === undefined) return integer(BigInt(match[0]));
    return new Float(Number(match[0]));
  }

  private word(word: string, value: Value, errorAt: number): Value {
    if (!this.take(word)) throw this.unexpected(errorAt);
    return value;
  }

  private take(expected: string): boolean {
    if (!this.text.startsWith(expected, this.at)) return false;
    this.at += expected.length;
    return true;
  }

  private skipBlank(): void {
    BLANK.lastIndex = this.at;
    this.at += BLANK.exec(this.text)?.[0].length ?? 0;
  }

  private unexpected(at: number): JsonError {
    return new JsonError(`unexpected token at '${this.text.slice(at)}'`);
  }
}

/** Bytes that are not UTF-8 stay what they are. @see jsonText */
function textOrBytes(text: string): string | ByteString {
  const bytes = bytesOfString(text);
  return bytes === undefined ? text : ByteString.fromBytes(bytes);
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** Unknown escapes stand for the character itself, as in Ruby. */
function unescape(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|([^]))/g, (_match, code?: string, character?: string) =>
    code === undefined
      ? (ESCAPES.get(character ?? '') ?? character ?? '')
      : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
