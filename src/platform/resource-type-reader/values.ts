/**
 * Ruby's values while a type's file is interpreted. Strings are JavaScript's (what changes one is not modelled),
 * symbols are JavaScript's registered ones, `nil` is `null`; arrays and hashes are mutable as in Ruby.
 */

import type { RubyNode } from '../../lib/ruby-syntax/index.ts';
import type { Frame } from './frame.ts';
import type { RubyModule } from './ruby-module.ts';
import { Unmodelled } from './unmodelled.ts';

export type Value =
  | string
  | number
  | boolean
  | null
  | symbol
  | Value[]
  | RubyHash
  | RubyRegexp
  | RubyProc
  | RubyModule
  | GemVersion
  | RubyPath
  | Unknown;

/** A value of which nothing is known but that it is no part of the type. `what` names its origin. */
export class Unknown {
  readonly what: string;

  constructor(what: string) {
    this.what = what;
  }
}

export type HashKey = string | number | symbol | boolean | null;

export class RubyHash {
  readonly entries = new Map<HashKey, Value>();

  get(key: Value): Value {
    return this.entries.get(hashKey(key)) ?? null;
  }

  has(key: Value): boolean {
    return this.entries.has(hashKey(key));
  }

  set(key: Value, value: Value): void {
    this.entries.set(hashKey(key), value);
  }

  /** The value of a symbol. */
  option(name: string): Value {
    return this.entries.get(Symbol.for(name)) ?? null;
  }
}

export const REGEXP_IGNORE_CASE = 1;
export const REGEXP_EXTENDED = 2;
export const REGEXP_MULTILINE = 4;

export class RubyRegexp {
  readonly source: string;
  /** Ruby's bits. */
  readonly options: number;

  constructor(source: string, options: number) {
    this.source = source;
    this.options = options;
  }

  /** As in `Regexp#to_s`: a group that carries its options. */
  embedded(): string {
    const { options } = this;
    const flag = (bit: number, letter: string): readonly [string, string] =>
      (options & bit) === 0 ? ['', letter] : [letter, ''];
    const flags = [flag(REGEXP_MULTILINE, 'm'), flag(REGEXP_IGNORE_CASE, 'i'), flag(REGEXP_EXTENDED, 'x')];
    const on = flags.map(([letter]) => letter).join('');
    const off = flags.map(([, letter]) => letter).join('');
    // Ruby unwraps a pattern that is such a group already.
    if (/^\(\?[^]*\)$/.test(this.source) || /[^\x20-\x7e\s]/.test(this.source)) {
      throw new Unmodelled('the text of a regular expression that Ruby rewrites');
    }
    const source = this.source.replace(/\\[^]|\//g, (part) => (part === '/' ? '\\/' : part));
    return `(?${on}${off === '' ? '' : `-${off}`}:${source})`;
  }
}

/** A block, proc or lambda with what it closes over. */
export class RubyProc {
  readonly parameters: RubyNode | null;
  readonly body: RubyNode | null;
  readonly frame: Frame;
  readonly isLambda: boolean;

  constructor(parameters: RubyNode | null, body: RubyNode | null, frame: Frame, isLambda: boolean) {
    this.parameters = parameters;
    this.body = body;
    this.frame = frame;
    this.isLambda = isLambda;
  }
}

/** `Gem::Version` of a release: numbers alone. */
export class GemVersion {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Below 0 when it is the older one. */
  compare(other: GemVersion): number {
    const [left, right] = [this.text.split('.').map(Number), other.text.split('.').map(Number)];
    for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
      const difference = (left[index] ?? 0) - (right[index] ?? 0);
      if (difference !== 0) return Math.sign(difference);
    }
    return 0;
  }
}

/** `Pathname` */
export class RubyPath {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }
}

export function isTruthy(value: Value): boolean {
  if (value instanceof Unknown) throw new Unmodelled(`a decision that depends on ${value.what}`);
  return value !== null && value !== false;
}

/** `to_s` for what is interpolated. @throws Unmodelled for what has no text here */
export function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  if (typeof value === 'symbol') return value.description ?? '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof RubyRegexp) return value.embedded();
  if (value instanceof RubyPath) return value.path;
  if (value instanceof Unknown) throw new Unmodelled(`a text that depends on ${value.what}`);
  throw new Unmodelled('the text of a value that is neither string, symbol nor number');
}

/** A name given as symbol or string. */
export function nameOf(value: Value): string {
  if (typeof value === 'symbol') return value.description ?? '';
  if (typeof value === 'string') return value;
  throw new Unmodelled(value instanceof Unknown ? `a name from ${value.what}` : 'a name that is no symbol');
}

/** `==` */
export function equals(a: Value, b: Value): boolean {
  if (a instanceof Unknown || b instanceof Unknown) {
    throw new Unmodelled(`a comparison with ${(a instanceof Unknown ? a : (b as Unknown)).what}`);
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => equals(item, b[index] ?? null));
  }
  if (a instanceof RubyRegexp && b instanceof RubyRegexp) {
    return a.source === b.source && a.options === b.options;
  }
  if (a instanceof GemVersion && b instanceof GemVersion) return a.text === b.text;
  if (typeof a === 'object' && typeof b === 'object' && a !== b && a !== null && b !== null) {
    throw new Unmodelled('a comparison of two objects');
  }
  return a === b;
}

function hashKey(key: Value): HashKey {
  if (key === null || typeof key !== 'object') return key;
  throw new Unmodelled('a hash key that is neither symbol, string nor number');
}
