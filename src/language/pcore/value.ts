/**
 * The values of the Puppet language, as they are held in memory.
 *
 * | Puppet | here |
 * | --- | --- |
 * | Integer | `number` when it is a safe integer, else `bigint` (64-bit range; arithmetic checks it) |
 * | Float | `Float`, always, so that `1.0` stays told apart from `1` |
 * | String, Boolean | `string`, `boolean` |
 * | undef / default | `null` / `DEFAULT` |
 * | Array / Hash | `readonly Value[]` (a plain JS array) / `PuppetHash` |
 * | Regexp | `RegexpValue` |
 * | Type | an instance of a subclass of `PuppetType` (resource references are types, too) |
 * | everything else | an instance of a subclass of `OpaqueValue` |
 *
 * `undefined` is never a value: it means "absent" in the implementation's own data.
 */

import type { PuppetType } from './puppet-type.ts';

export class Float {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

export class Default {
  private readonly brand = 'default';
  toString(): string {
    return this.brand;
  }
}
/** The value of the keyword `default`. */
export const DEFAULT: Default = new Default();

/**
 * The base of every value that is neither a scalar, a collection nor a type: Sensitive, Binary, SemVer,
 * SemVerRange, Timestamp, Timespan, URI, Regexp, Deferred, Error, instances of Object types, iterators, ...
 */
export abstract class OpaqueValue {
  /** Equal values have equal keys; used for `==`, hash keys and `unique`. Must begin with the kind's name. */
  abstract equalityKey(): string;

  /** The string that it is the same as when it is a key of a hash. */
  asKey(): string | undefined {
    return undefined;
  }

  /** The type of this very value, for kinds that the type system does not know itself (functions, objects). */
  inferType(): PuppetType | undefined {
    return undefined;
  }
}

export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Float
  | Default
  | readonly Value[]
  | PuppetHash
  | PuppetType
  | OpaqueValue;

/** An integer, however large it is. */
export type IntegerValue = number | bigint;

/** Brings an integer into the one form that is allowed for it. */
export function integer(value: number | bigint): IntegerValue {
  if (typeof value === 'number') return value;
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(value)
    : value;
}

type Primitive = null | boolean | number | bigint | string;

/**
 * A Hash: insertion-ordered, compared by structure, immutable once it has been handed out.
 *
 * Keys that are primitive are looked up as they are; others through their `keyOf`.
 * As in Ruby, `1` and `1.0` are different keys and strings are compared with case.
 */
export class PuppetHash {
  private readonly items: Map<Primitive, readonly [Value, Value]>;

  constructor(entries?: Iterable<readonly [Value, Value]>) {
    // A copy has the same pairs, which are never changed.
    this.items = new Map(entries instanceof PuppetHash ? entries.items : undefined);
    if (entries !== undefined && !(entries instanceof PuppetHash))
      for (const [key, value] of entries) this.set(key, value);
  }

  /** A hash with string keys from a plain object. */
  static from(object: Readonly<Record<string, Value>>): PuppetHash {
    return new PuppetHash(Object.entries(object));
  }

  /** For builders only: never on a hash that somebody else may hold. */
  set(key: Value, value: Value): this {
    const id = identityOf(key);
    const known = this.items.get(id);
    this.items.set(id, [known === undefined ? key : known[0], value]);
    return this;
  }

  /** For builders only. */
  delete(key: Value): boolean {
    return this.items.delete(identityOf(key));
  }

  get size(): number {
    return this.items.size;
  }
  has(key: Value): boolean {
    return this.items.has(identityOf(key));
  }
  /** `undefined` when the key is absent; `null` when its value is undef. */
  get(key: Value): Value | undefined {
    return this.items.get(identityOf(key))?.[1];
  }
  entries(): IterableIterator<readonly [Value, Value]> {
    return this.items.values();
  }
  [Symbol.iterator](): IterableIterator<readonly [Value, Value]> {
    return this.items.values();
  }
  *keys(): IterableIterator<Value> {
    for (const [key] of this.items.values()) yield key;
  }
  *values(): IterableIterator<Value> {
    for (const [, value] of this.items.values()) yield value;
  }
}

/** Text for values that are not primitive; a string that could be taken for such a text is marked as a string. */
function identityOf(key: Value): Primitive {
  if (typeof key === 'string') return key.charCodeAt(0) === 0 ? `\0s${key}` : key;
  if (key === null || typeof key !== 'object') return key;
  const text = key instanceof OpaqueValue ? key.asKey() : undefined;
  return text === undefined ? `\0k${keyOf(key)}` : identityOf(text);
}

/** A string that is equal for two values exactly when Ruby's `eql?` would hold for them. */
export function keyOf(value: Value): string {
  if (value === null) return 'undef';
  if (typeof value === 'string') return `s${value.length}:${value}`;
  if (typeof value === 'number' || typeof value === 'bigint') return `i${value}`;
  if (typeof value === 'boolean') return `b${value}`;
  if (value instanceof Float) return `f${value.value}`;
  if (isArray(value)) return `[${value.map(keyOf).join(',')}]`;
  if (value instanceof PuppetHash) {
    const entries = [...value].map(([key, item]) => `${keyOf(key)}=>${keyOf(item)}`);
    return `{${entries.sort().join(',')}}`;
  }
  if (value instanceof Default) return 'default';
  return value.equalityKey();
}

/** `Array.isArray` for values: narrows to the readonly array. */
export function isArray(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}
export function isInteger(value: Value): value is IntegerValue {
  return typeof value === 'number' || typeof value === 'bigint';
}
export function isDefault(value: Value): boolean {
  return value === DEFAULT;
}
