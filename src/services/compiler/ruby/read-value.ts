/** JSON from Ruby as values: the other half of `write-value.ts`. */

import {
  BinaryValue,
  ByteString,
  DEFAULT,
  Float,
  fault,
  integer,
  ObjectInstance,
  ObjectType,
  PuppetHash,
  parseType,
  RegexpValue,
  ResourceType,
  SemVerRangeValue,
  SemVerValue,
  SensitiveValue,
  TimespanValue,
  TimestampValue,
  type TypeResolver,
  UriValue,
  type Value,
} from '../../../language/pcore/index.ts';
import { RubyObject } from './ruby-object.ts';
import type { Holder } from './write-value.ts';

/** What reading needs besides the JSON. */
export interface ReadContext {
  readonly holder: Holder;
  readonly types: TypeResolver;
}

interface Tagged {
  readonly '~': string;
  readonly v?: unknown;
  readonly i?: unknown;
  readonly k?: unknown;
  readonly t?: unknown;
  readonly n?: unknown;
  readonly x?: unknown;
}

/** @throws PuppetError for values that the language does not have */
export function readValue(json: unknown, context: ReadContext): Value {
  if (json === null || typeof json === 'string' || typeof json === 'boolean') return json;
  if (typeof json === 'number') return Number.isInteger(json) ? json : new Float(json);
  if (Array.isArray(json)) return json.map((item) => readValue(item, context));
  if (isTagged(json)) return readTagged(json, context);
  const hash = new PuppetHash();
  for (const [key, item] of Object.entries(json as object)) hash.set(key, readValue(item, context));
  return hash;
}

export function readValues(json: unknown, context: ReadContext): readonly Value[] {
  return Array.isArray(json) ? json.map((item) => readValue(item, context)) : [];
}

function isTagged(json: unknown): json is Tagged {
  return typeof json === 'object' && json !== null && '~' in json;
}

function readTagged(json: Tagged, context: ReadContext): Value {
  const text = String(json.v);
  switch (json['~']) {
    case 'i':
      return integer(BigInt(text));
    case 'f':
      return new Float(Number(text));
    case 'd':
      return DEFAULT;
    case 'y':
      return new RubyObject('Symbol', text, undefined);
    case 'h':
      return readPairs(json.v, context);
    case 's':
      return new SensitiveValue(readValue(json.v, context));
    case 't':
      return readType(json, context);
    case 'p':
      return new ResourceType(String(json.t), json.n === '' ? undefined : String(json.n));
    case 'o':
      return readHeld(json.v, context);
    case 'oi':
      return readInstance(json, context);
    case 'z':
      return new RubyObject(String(json.k), String(json.x), Number(json.v));
    case 'c':
      throw fault('A block of Ruby code is not a value');
    default:
      return readText(json['~'], text);
  }
}

function readText(tag: string, text: string): Value {
  switch (tag) {
    case 'a':
      return ByteString.fromBase64(text);
    case 'b':
      return BinaryValue.fromBase64(text);
    case 'r':
      return new RegexpValue(text);
    case 'ts':
      return new TimestampValue(BigInt(text));
    case 'tp':
      return new TimespanValue(BigInt(text));
    case 'v':
      return SemVerValue.parse(text);
    case 'vr':
      return SemVerRangeValue.parse(text);
    case 'u':
      return UriValue.parse(text);
    default:
      throw new Error(`unknown kind of value from Ruby: ${tag}`);
  }
}

/** An object of a type that a module defines in Ruby. */
function readInstance({ k, v }: Tagged, context: ReadContext): Value {
  const type = context.types.findAlias(String(k));
  if (!(type instanceof ObjectType)) throw fault(`'${String(k)}' is no type of objects`);
  const given = Object.entries(v as object).map(([name, item]) => [name, readValue(item, context)] as const);
  return new ObjectInstance(type, new Map(given));
}

function readPairs(pairs: unknown, context: ReadContext): PuppetHash {
  const hash = new PuppetHash();
  for (const [key, item] of pairs as readonly (readonly [unknown, unknown])[])
    hash.set(readValue(key, context), readValue(item, context));
  return hash;
}

/** The very type that was handed over, while it is known; else what its text means. */
function readType(json: Tagged, { holder, types }: ReadContext): Value {
  return holder.values.get(json.i) ?? parseType(String(json.v), types);
}

function readHeld(id: unknown, { holder }: ReadContext): Value {
  const value = holder.values.get(id);
  if (value === undefined) throw fault('Ruby code has kept a value from an earlier call');
  return value;
}
