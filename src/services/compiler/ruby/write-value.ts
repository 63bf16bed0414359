/** Values as JSON for Ruby. What JSON lacks is an object with the key `~`: see `wire.rb`. */

import type { Lambda } from '../../../language/functions/index.ts';
import { LookupContext } from '../../../language/hiera/index.ts';
import {
  BinaryValue,
  ByteString,
  ClassType,
  Float,
  IteratorValue,
  isArray,
  isDefault,
  OpaqueValue,
  PuppetHash,
  PuppetType,
  RegexpValue,
  ResourceType,
  rubyClassName,
  SemVerRangeValue,
  SemVerValue,
  SensitiveValue,
  stringify,
  TimespanValue,
  TimestampValue,
  UriValue,
  type Value,
} from '../../../language/pcore/index.ts';
import { RubySymbol } from '../../../language/ruby/index.ts';
import type { HeldValues } from './held-values.ts';
import { RubyBlock } from './ruby-block.ts';
import { RubyObject } from './ruby-object.ts';

/** Where values are kept that Ruby knows by number only. */
export interface Holder {
  readonly values: HeldValues<Value>;
  readonly blocks: HeldValues<Lambda>;
}

export function writeValue(value: Value, holder: Holder): string {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      return writeObject(value, holder);
  }
}

export function writeValues(values: readonly Value[], holder: Holder): string {
  return `[${values.map((value) => writeValue(value, holder)).join(',')}]`;
}

/** Arguments of functions of the older kind: references are resources there. */
export function writeLegacyValue(value: Value, holder: Holder): string {
  if (value instanceof ResourceType && value.typeName !== undefined)
    return reference(value.typeName, value.title ?? '');
  if (value instanceof ClassType && value.className !== undefined) return reference('Class', value.className);
  if (value !== null && typeof value === 'object') {
    if (isArray(value)) return `[${value.map((item) => writeLegacyValue(item, holder)).join(',')}]`;
    if (value instanceof PuppetHash) return writeHash(value, (item) => writeLegacyValue(item, holder));
  }
  return writeValue(value, holder);
}

export function writeBlock(block: Lambda | undefined, holder: Holder): string {
  if (block === undefined) return 'null';
  if (block instanceof RubyBlock) return `{"~":"c","own":${block.id}}`;
  const parameters = block.parameterNames.map((name, index) => [kindOf(block, index), name]);
  return `{"~":"c","v":${holder.blocks.hold(block)},"n":${JSON.stringify(parameters)}}`;
}

function kindOf(block: Lambda, index: number): 'req' | 'opt' | 'rest' {
  if (index < block.minParameters) return 'req';
  return index < block.parameterNames.length - 1 || Number.isFinite(block.maxParameters) ? 'opt' : 'rest';
}

function reference(type: string, title: string): string {
  return `{"~":"p","t":${JSON.stringify(type)},"n":${JSON.stringify(title)}}`;
}

function writeObject(value: Value & object, holder: Holder): string {
  if (isArray(value)) return writeValues(value, holder);
  if (value instanceof PuppetHash) return writeHash(value, (item) => writeValue(item, holder));
  if (value instanceof Float) return writeFloat(value.value);
  if (isDefault(value)) return '{"~":"d"}';
  if (value instanceof PuppetType) return writeType(value, holder);
  return writeOpaque(value, holder);
}

function writeHash(hash: PuppetHash, write: (value: Value) => string): string {
  const parts: string[] = [];
  for (const [key, item] of hash) {
    if (typeof key !== 'string' || key === '~') return writePairs(hash, write);
    parts.push(`${JSON.stringify(key)}:${write(item)}`);
  }
  return `{${parts.join(',')}}`;
}

function writePairs(hash: PuppetHash, write: (value: Value) => string): string {
  const pairs = Array.from(hash, ([key, item]) => `[${write(key)},${write(item)}]`);
  return `{"~":"h","v":[${pairs.join(',')}]}`;
}

function writeFloat(value: number): string {
  // Written like this they would be integers there.
  if (Number.isInteger(value) || !Number.isFinite(value)) return `{"~":"f","v":"${value}"}`;
  return String(value);
}

function writeType(type: PuppetType, holder: Holder): string {
  const parts: Record<string, unknown> = {
    '~': 't',
    k: type.kind,
    v: type.toString(),
    i: holder.values.hold(type),
  };
  if (type instanceof ResourceType) Object.assign(parts, { t: type.typeName, n: type.title });
  if (type instanceof ClassType) Object.assign(parts, { n: type.className });
  return JSON.stringify(parts);
}

function writeOpaque(value: Value & object, holder: Holder): string {
  if (value instanceof SensitiveValue) return `{"~":"s","v":${writeValue(value.unwrap(), holder)}}`;
  const text = textOf(value);
  if (text !== undefined) return JSON.stringify({ '~': text[0], v: text[1] });
  if (value instanceof RubySymbol) return JSON.stringify({ '~': 'y', v: value.name });
  if (value instanceof RubyObject) {
    if (value.id === undefined) return JSON.stringify({ '~': 'y', v: String(value) });
    return JSON.stringify({ '~': 'z', v: value.id, x: String(value) });
  }
  return JSON.stringify({ '~': 'o', v: holder.values.hold(value), k: classOf(value), x: stringify(value) });
}

/** Kinds whose text says it all. */
function textOf(value: Value & object): readonly [tag: string, text: string] | undefined {
  if (value instanceof RegexpValue) return ['r', value.source];
  if (value instanceof ByteString) return ['a', value.toBinary().toString()];
  if (value instanceof BinaryValue) return ['b', value.toString()];
  if (value instanceof TimestampValue) return ['ts', String(value.nanoseconds)];
  if (value instanceof TimespanValue) return ['tp', String(value.nanoseconds)];
  if (value instanceof SemVerValue) return ['v', value.toString()];
  if (value instanceof SemVerRangeValue) return ['vr', value.toString()];
  if (value instanceof UriValue) return ['u', value.toString()];
  return undefined;
}

function classOf(value: Value & object): string {
  if (value instanceof LookupContext) return 'Puppet::LookupContext';
  if (value instanceof IteratorValue) return 'Iterator';
  return value instanceof OpaqueValue ? (value.inferType()?.name ?? rubyClassName(value)) : 'Object';
}
