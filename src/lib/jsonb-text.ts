/** The order in which PostgreSQL's `jsonb` keeps keys, and so prints them: by length in bytes, then by bytes. */

import { type KeyOrder, orderedJson } from './ordered-json.ts';

/** Behind them, code units and UTF-8 disagree about lengths and order. */
const notAscii = /[^\0-\x7f]/;

export const jsonbOrder: KeyOrder = (keys) => {
  if (keys.length < 2) return keys;
  return keys.sort(keys.some((key) => notAscii.test(key)) ? byBytes : byUnits);
};

function byUnits(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : 1;
}

function byBytes(a: string, b: string): number {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length - right.length || Buffer.compare(left, right);
}

/** The value as JSON. @param value - numbers may be of `parseExact` */
export function jsonbText(value: unknown): string {
  return orderedJson(value, jsonbOrder);
}

/**
 * The same JSON. Values are not read: what stands between two keys is moved as it is, whatever the form of its numbers.
 *
 * @param json - valid, without spaces between its parts
 * @throws SyntaxError when it ends too early
 */
export function inJsonbOrder(json: string): string {
  return json.includes('{') ? new Rewriting(json).value() : json;
}

class Rewriting {
  readonly #json: string;
  #at = 0;

  constructor(json: string) {
    this.#json = json;
  }

  value(): string {
    const start = this.#at;
    if (start >= this.#json.length) throw new SyntaxError('JSON ends too early');
    const first = this.#json[start];
    if (first === '{') return this.#hash();
    if (first === '[') return this.#list();
    if (first === '"') return this.#text();
    while (this.#at < this.#json.length && !/[,\]}]/.test(this.#json.charAt(this.#at))) this.#at++;
    return this.#json.slice(start, this.#at);
  }

  #hash(): string {
    const members = new Map<string, string>();
    while (this.#json[this.#at] !== '}') {
      this.#at++;
      if (this.#json[this.#at] === '}') break;
      const name = this.#text();
      this.#at++;
      const key = name.includes('\\') ? String(JSON.parse(name)) : name.slice(1, -1);
      members.set(key, `${name}:${this.value()}`);
    }
    this.#at++;
    const ordered = jsonbOrder([...members.keys()]).map((key) => members.get(key) ?? '');
    return `{${ordered.join(',')}}`;
  }

  #list(): string {
    const items: string[] = [];
    while (this.#json[this.#at] !== ']') {
      this.#at++;
      if (this.#json[this.#at] === ']') break;
      items.push(this.value());
    }
    this.#at++;
    return `[${items.join(',')}]`;
  }

  /** With its quotes. */
  #text(): string {
    const start = this.#at;
    let end = this.#json.indexOf('"', start + 1);
    while (this.#isEscaped(end)) end = this.#json.indexOf('"', end + 1);
    if (end < 0) throw new SyntaxError('JSON has a text without end');
    this.#at = end + 1;
    return this.#json.slice(start, this.#at);
  }

  #isEscaped(quote: number): boolean {
    let before = quote - 1;
    while (this.#json[before] === '\\') before--;
    return (quote - before) % 2 === 0;
  }
}
