/** `left[keys]` on values of every kind. */

import {
  BinaryValue,
  ByteString,
  ClassType,
  isArray,
  isInteger,
  ObjectInstance,
  PuppetHash,
  PuppetType,
  ResourceType,
  SemVerValue,
  StringType,
  textOf,
  type Value,
} from '../../pcore/index.ts';
import type { AccessExpression } from '../../syntax/index.ts';
import { aAn, aAnUpper, article } from '../../syntax/index.ts';
import { fail } from '../evaluation-error.ts';
import { labelOfValue } from '../labels.ts';
import { toNumeric } from '../operators/arithmetic.ts';
import { numberInString } from '../operators/numeric-string.ts';
import { type AccessSite, flatten, keyNode, keyTypeName } from './access-keys.ts';
import { accessClass, accessResource } from './access-reference.ts';
import { accessType } from './access-type.ts';
import { guarded } from './guarded.ts';
import type { Evaluate, Lower, LowerContext } from './lower-context.ts';

export function lowerAccess(node: AccessExpression, context: LowerContext, lower: Lower): Evaluate {
  const left = lower(node.left, context);
  const keys = node.keys.map((key) => lower(key, context));
  const [only] = keys;
  const evaluate: Evaluate = (frame) => {
    const value = left(frame);
    // The most frequent case: one key into a hash.
    if (value instanceof PuppetHash && keys.length === 1 && only !== undefined)
      return value.get(only(frame)) ?? null;
    const evaluated: Value[] = [];
    for (const key of keys) evaluated.push(key(frame));
    return access(value, evaluated, { node, context, frame });
  };
  return guarded(evaluate, node, context);
}

/** What a type is given of bytes: a String takes lengths, and only says what it got instead. */
function keyOf(type: PuppetType, key: Value): Value {
  if (type instanceof StringType && key instanceof ByteString) return key.toString();
  return textOf(key) ?? key;
}

function access(value: Value, keys: readonly Value[], site: AccessSite): Value {
  if (typeof value === 'string') return accessString(value, keys, site);
  if (value instanceof ByteString) return new ByteString(accessString(value.text, keys, site));
  if (isArray(value)) return accessArray(value, flatten(keys), site);
  if (value instanceof PuppetHash) return accessHash(value, keys, site);
  if (value instanceof PuppetType)
    return accessAnyType(value, keys.some(isBytes) ? keys.map((key) => keyOf(value, key)) : keys, site);
  if (value instanceof BinaryValue) return accessBinary(value, keys, site);
  const found = value instanceof ObjectInstance ? value.at(keys) : undefined;
  if (found !== undefined) return found;
  const text = `Operator '[]' is not applicable to ${aAn(labelOfValue(value))}.`;
  return fail('operator_not_applicable', text, site.node.left, site.context);
}

function isBytes(value: Value): boolean {
  return value instanceof ByteString;
}

function accessAnyType(type: PuppetType, keys: readonly Value[], site: AccessSite): Value {
  if (type instanceof ClassType) return accessClass(type, keys, site);
  return type instanceof ResourceType ? accessResource(type, keys, site) : accessType(type, keys, site);
}

// --- strings

function accessString(text: string, keys: readonly Value[], site: AccessSite): string {
  const flat = flatten(keys);
  if (flat.length < 1 || flat.length > 2) return badArity('String', flat.length, site);
  const [first = 0, second] = flat.map((key, index) => characterIndex(key, index, site));
  const characters = Array.from(text);
  const range =
    second === undefined ? single(first, characters.length) : slice(first, second, characters.length);
  return range === undefined ? '' : characters.slice(range[0], range[1]).join('');
}

function accessBinary(binary: BinaryValue, keys: readonly Value[], site: AccessSite): Value {
  const flat = flatten(keys);
  if (flat.length < 1 || flat.length > 2) return badArity('String', flat.length, site);
  const [first = 0, second] = flat.map((key, index) => characterIndex(key, index, site));
  const { length } = binary.bytes;
  const range = second === undefined ? single(first, length) : slice(first, second, length);
  return new BinaryValue(range === undefined ? new Uint8Array() : binary.bytes.slice(range[0], range[1]));
}

function characterIndex(key: Value, index: number, site: AccessSite): number {
  const text = textOf(key);
  const number = text === undefined ? key : numberInString(text);
  if (number !== undefined && isInteger(number)) return Number(number);
  const name = keyTypeName(number ?? key);
  const message = `A substring operation does not accept ${article(name)} ${name} as a character index. Expected an Integer`;
  return fail('bad_string_slice_key_type', message, keyNode(site, index), site.context);
}

type Range = readonly [start: number, end: number];

function single(at: number, length: number): Range | undefined {
  const start = at < 0 ? length + at : at;
  return start < 0 || start >= length ? undefined : [start, start + 1];
}

/** From a position, so many items; negative numbers count from the end. */
function slice(from: number, count: number, length: number): Range | undefined {
  let start = from < 0 ? length + from : from;
  let size = count < 0 ? length - start + count + 1 : count;
  if (start < 0) {
    size += start;
    start = 0;
  }
  return size < 0 || start > length ? undefined : [start, start + size];
}

function badArity(what: string, count: number, site: AccessSite): never {
  const text = `${what} supports [] with one or two arguments. Got ${count}`;
  return fail(`bad_${what.toLowerCase()}_slice_arity`, text, site.node.left, site.context);
}

// --- arrays and hashes

function accessArray(array: readonly Value[], keys: readonly Value[], site: AccessSite): Value {
  if (keys.length < 1 || keys.length > 2) return badArity('Array', keys.length, site);
  const numbers = keys.map((key, index) =>
    key instanceof SemVerValue ? key : toNumeric(key, keyNode(site, index), site.context, site.frame),
  );
  const [first = 0, second] = numbers.map((number, index) => arrayIndex(array, number, index, site));
  if (second === undefined) return array.at(first) ?? null;
  const range = slice(first, second, array.length);
  return range === undefined ? [] : array.slice(range[0], range[1]);
}

function arrayIndex(array: readonly Value[], key: Value, index: number, site: AccessSite): number {
  if (isInteger(key)) return Number(key);
  const text = `${aAnUpper(labelOfValue(array))}[] cannot use ${keyTypeName(key)} where Integer is expected`;
  return fail('bad_slice_key_type', text, keyNode(site, index), site.context);
}

function accessHash(hash: PuppetHash, keys: readonly Value[], site: AccessSite): Value {
  const values = keys.map((key) => hash.get(key) ?? null);
  if (values.length === 0) {
    const text = `Hash supports [] with one or more arguments. Got ${keys.length}`;
    return fail('bad_hash_slice_arity', text, site.node.left, site.context);
  }
  return values.length === 1 ? (values[0] ?? null) : values.filter((value) => value !== null);
}
