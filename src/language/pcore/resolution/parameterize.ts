/** `Type[parameters]` in Puppet code: parameters are values, mistakes are those of the access operator. */

import { fault } from '../fault.ts';
import { infer } from '../infer.ts';
import { withArticle } from '../mismatch/article.ts';
import { PuppetType } from '../puppet-type.ts';
import { ArrayType } from '../types/array-type.ts';
import { BooleanType } from '../types/boolean-type.ts';
import { CollectionType } from '../types/collection-type.ts';
import { EnumType } from '../types/enum-type.ts';
import { HashType } from '../types/hash-type.ts';
import { InitType } from '../types/init-type.ts';
import { IterableType, IteratorType } from '../types/iterable-types.ts';
import { IntegerType } from '../types/number-types.ts';
import { ObjectType } from '../types/object-type.ts';
import { SensitiveType } from '../types/opaque-types.ts';
import { NotUndefType, OptionalType } from '../types/optional-types.ts';
import { PatternType } from '../types/pattern-type.ts';
import { TypeReferenceType } from '../types/reference-types.ts';
import { RegexpType } from '../types/regexp-type.ts';
import { StringType } from '../types/string-type.ts';
import { TypeType } from '../types/type-type.ts';
import { VariantType } from '../types/variant-type.ts';
import { Float, isArray, isDefault, isInteger, PuppetHash, type Value } from '../value.ts';
import { RegexpValue } from '../values/regexp-value.ts';
import { SemVerRangeValue } from '../values/semver-range-value.ts';
import type { TypeResolver } from './interpret.ts';
import { rubyClassName } from './ruby-class-name.ts';
import {
  callableOf,
  floatRangeOf,
  isUriPattern,
  objectExtensionOf,
  objectOf,
  patternOf,
  rangeOf,
  regexpOf,
  runtimeOf,
  semVerOf,
  splitSize,
  structOf,
  timespanOf,
  timestampOf,
  tupleOf,
  uriOf,
} from './type-factory.ts';
import { TypeParameterError } from './type-parameter-error.ts';
import { typeSetOf } from './type-set.ts';

type Parameterize = (type: PuppetType, keys: readonly Value[], resolver: TypeResolver) => PuppetType;

/**
 * The type with parameters. Class and Resource are the evaluator's, as they reach into the catalog.
 *
 * @param keys - nested arrays are flattened where the reference does so
 * @throws TypeParameterError in the words of the access operator, PuppetError for what makes no type
 */
export function parameterizeType(
  type: PuppetType,
  keys: readonly Value[],
  resolver: TypeResolver,
): PuppetType {
  if (type instanceof TypeReferenceType) {
    throw new TypeParameterError('unknown_resource_type', `Resource type not found: ${type.typeString}`);
  }
  const parameterize = PARAMETERIZE[type.kind];
  if (parameterize === undefined) {
    const message = `Operator '[]' is not applicable to ${withArticle(`${type.toString()}-Type`)}.`;
    throw new TypeParameterError('operator_not_applicable', message);
  }
  return parameterize(type, UNFLATTENED.has(type.kind) ? keys : flatten(keys), resolver);
}

const UNFLATTENED: ReadonlySet<string> = new Set(['Callable', 'Struct', 'Init']);

function flatten(keys: readonly Value[]): readonly Value[] {
  return keys.some(isArray) ? keys.flatMap((key) => (isArray(key) ? flatten(key) : [key])) : keys;
}

const PARAMETERIZE: Readonly<Record<string, Parameterize>> = {
  Array: (_type, keys) => arrayOf(keys),
  Boolean: (type, keys) => {
    assertKeys(type, keys, { max: 1, isAllowed: (key) => typeof key === 'boolean', expected: BOOLEAN });
    return keys[0] === true ? BooleanType.TRUE : BooleanType.FALSE;
  },
  Callable: (type, keys) => {
    if (isArray(keys[0] ?? null) && keys.length > 0 && keys.length !== 2) {
      throw arity(describeBase(type), [2, 2], keys.length);
    }
    return callableOf(keys);
  },
  Collection: (_type, keys) =>
    new CollectionType(sizeOnly(keys, arity('Collection-Type', [1, 2], keys.length))),
  Enum: (type, keys) => enumOf(type, keys),
  Float: (_type, keys) => {
    assertNumbers(keys, 'Float', 'floats, or integers', (key) => isInteger(key) || key instanceof Float);
    return floatRangeOf(keys[0], keys[1]);
  },
  Hash: (_type, keys) => hashOf(keys),
  Init: (_type, keys) => {
    const [type, ...args] = keys;
    if (!(type instanceof PuppetType)) throw notAType('Init-Type', type ?? null, 0);
    return new InitType(type, args);
  },
  Integer: (_type, keys) => {
    assertNumbers(keys, 'Integer', 'integers', isInteger);
    return rangeOf(keys[0], keys[1]);
  },
  Iterable: (_type, keys) => new IterableType(onlyType('Iterable-Type', keys)),
  Iterator: (_type, keys) => new IteratorType(onlyType('Iterator-Type', keys)),
  NotUndef: (_type, keys) => notUndefOf(keys),
  Object: (type, keys) => {
    if (type instanceof ObjectType && type !== ObjectType.DEFAULT) return objectExtensionOf(type, keys);
    if (keys.length !== 1) throw arity('Object-Type', [1, 1], keys.length);
    return objectOf(keys[0] ?? null);
  },
  Optional: (_type, keys) => {
    const [key] = keys;
    const isLiteral = keys.length === 1 && typeof key === 'string';
    return new OptionalType(isLiteral ? new StringType(key) : onlyType('Optional-Type', keys));
  },
  Pattern: (type, keys) => {
    assertKeys(type, keys, {
      max: Infinity,
      isAllowed: (key) => typeof key === 'string' || isPatternKey(key),
      expected: 'String or Regexp or Pattern-Type or Regexp-Type',
    });
    return patternOf(keys);
  },
  Regexp: (type, keys) => {
    if (keys.length !== 1)
      throw arity(describeBase(type), [1, 1], keys.length, keys.length === 0 ? undefined : 1);
    const isAllowed = (key: Value): boolean => typeof key === 'string' || key instanceof RegexpValue;
    assertKeys(type, keys, { max: 1, isAllowed, expected: 'String or Regexp' });
    return regexpOf(keys[0] ?? null);
  },
  Runtime: (type, keys) => {
    const [runtime, name] = keys;
    if (keys.length !== 2) throw arity(describeBase(type), [1, 2], keys.length);
    assertKeys(type, keys, {
      max: 2,
      isAllowed: (key) => typeof key === 'string',
      expected: 'String or String',
    });
    return runtimeOf(String(runtime), name ?? null);
  },
  SemVer: (type, keys) => {
    const isAllowed = (key: Value): boolean => typeof key === 'string' || key instanceof SemVerRangeValue;
    assertKeys(type, keys, { max: Infinity, isAllowed, expected: 'String or SemanticPuppet::VersionRange' });
    return semVerOf(keys);
  },
  Sensitive: (_type, keys) => new SensitiveType(onlyType('Sensitive-Type', keys)),
  String: (_type, keys) => {
    const message = `String supports [] with one or two arguments. Got ${keys.length}`;
    return new StringType(sizeOnly(keys, new TypeParameterError('bad_string_slice_arity', message)));
  },
  Struct: (type, keys) => {
    assertKeys(type, keys, { max: 1, isAllowed: (key) => key instanceof PuppetHash, expected: 'Hash' });
    const [hash] = keys;
    return structOf(hash instanceof PuppetHash ? hash : new PuppetHash());
  },
  Timespan: (type, keys) => {
    if (keys.length > 2) throw arity(describeBase(type), [0, 2], keys.length);
    return timespanOf(keys);
  },
  Timestamp: (type, keys) => {
    if (keys.length > 2) throw arity(describeBase(type), [0, 2], keys.length);
    return timestampOf(keys);
  },
  Tuple: (type, keys) => {
    const { types, sizeType } = splitSize(keys);
    assertKeys(type, types, {
      max: Infinity,
      isAllowed: (key) => key instanceof PuppetType,
      expected: 'Any-Type',
    });
    return tupleOf(types, sizeType);
  },
  Type: (_type, keys) => new TypeType(onlyType('Type-Type', keys)),
  TypeSet: (_type, keys, resolver) => {
    if (keys.length !== 1) throw arity('TypeSet-Type', [1, 1], keys.length);
    return typeSetOf(keys[0] ?? null, resolver);
  },
  URI: (_type, keys) => {
    if (keys.length !== 1) throw arity('URI-Type', [1, 1], keys.length);
    const [key = null] = keys;
    if ((typeof key === 'string' && key !== '') || isUriPattern(key)) return uriOf(key);
    throw notAType('URI-Type', key, 0);
  },
  Variant: (type, keys) => {
    assertKeys(type, keys, {
      max: Infinity,
      isAllowed: (key) => key instanceof PuppetType,
      expected: 'Any-Type',
    });
    return VariantType.of(keys.filter((key) => key instanceof PuppetType));
  },
};

const BOOLEAN = 'TrueClass or FalseClass';

function isPatternKey(key: Value): boolean {
  return key instanceof RegexpValue || key instanceof PatternType || key instanceof RegexpType;
}

interface KeyRule {
  readonly max: number;
  readonly isAllowed: (key: Value) => boolean;
  readonly expected: string;
}

function assertKeys(type: PuppetType, keys: readonly Value[], rule: KeyRule): void {
  if (keys.length < 1 || keys.length > rule.max) throw arity(describeBase(type), [1, rule.max], keys.length);
  for (const [index, key] of keys.entries()) {
    if (rule.isAllowed(key)) continue;
    const message = `Cannot use ${keyTypeName(key)} where ${rule.expected} is expected`;
    const base = withArticle(`${type.toString()}-Type`);
    const text = `Error creating type specialization of ${base}, ${message}`;
    throw new TypeParameterError('bad_type_specialization', text, index);
  }
}

function keyTypeName(key: Value): string {
  if (key === null) return 'Undef';
  return isDefault(key) ? 'Default' : infer(key).generalize().toString();
}

function describeBase(type: PuppetType): string {
  const text = withArticle(`${type.toString()}-Type`);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function arity(
  base: string,
  [min, max]: readonly [min: number, max: number],
  actual: number,
  keyIndex?: number,
): TypeParameterError {
  const accepted =
    max === Infinity
      ? `${min} or more arguments`
      : max !== min
        ? `${min} to ${max} arguments`
        : `${min} argument${min === 1 ? '' : 's'}`;
  return new TypeParameterError(
    'bad_type_slice_arity',
    `${base}[] accepts ${accepted}. Got ${actual}`,
    keyIndex,
  );
}

function notAType(base: string, key: Value, index: number): TypeParameterError {
  const message = `${base}[] arguments must be types. Got ${rubyClassName(key)}`;
  return new TypeParameterError('bad_type_slice_type', message, index);
}

function onlyType(base: string, keys: readonly Value[]): PuppetType {
  if (keys.length !== 1) throw arity(base, [1, 1], keys.length);
  const [key = null] = keys;
  if (!(key instanceof PuppetType)) throw notAType(base, key, 0);
  return key;
}

function notUndefOf(keys: readonly Value[]): PuppetType {
  if (keys.length > 1) throw arity('NotUndef-Type', [0, 1], keys.length);
  const [key] = keys;
  if (key === undefined) return NotUndefType.DEFAULT;
  if (typeof key === 'string') return new NotUndefType(new StringType(key));
  if (key instanceof PuppetType) return new NotUndefType(key);
  const message = `NotUndef-Type[] argument must be a Type or a String. Got ${rubyClassName(key)}`;
  throw new TypeParameterError('bad_not_undef_slice_type', message, 0);
}

function assertNumbers(
  keys: readonly Value[],
  name: string,
  words: string,
  isAllowed: (key: Value) => boolean,
): void {
  if (keys.length < 1 || keys.length > 2) {
    const message = `${name}-Type supports [] with one or two arguments (from, to). Got ${keys.length}`;
    throw new TypeParameterError('bad_integer_slice_arity', message);
  }
  for (const [index, key] of keys.entries()) {
    if (isAllowed(key) || isDefault(key)) continue;
    const message = `${name}-Type [] requires all arguments to be ${words} (or default). Got ${rubyClassName(key)}`;
    throw new TypeParameterError('bad_integer_slice_type', message, index);
  }
}

/** One Integer type, or one or two integers. */
function sizeOnly(keys: readonly Value[], wrongCount: Error): IntegerType {
  if (keys.length < 1 || keys.length > 2) throw wrongCount;
  return sizeOf(keys, 0);
}

function sizeOf(keys: readonly Value[], start: number): IntegerType {
  const [first] = keys;
  if (keys.length === 1 && first instanceof IntegerType) return first;
  for (const [index, key] of keys.entries()) {
    if (isInteger(key) || isDefault(key)) continue;
    const got = withArticle(
      key instanceof PuppetType ? `${key.kind}-Type` : rubyClassName(key) || 'Deferred',
    );
    const message = `A Type's size constraint arguments must be a single Integer type, or 1-2 integers (or default). Got ${got}`;
    throw new TypeParameterError('bad_collection_slice_type', message, start + index);
  }
  return rangeOf(keys[0], keys[1]);
}

function arrayOf(keys: readonly Value[]): PuppetType {
  if (keys.length < 1 || keys.length > 3) throw arity('Array-Type', [1, 3], keys.length);
  const [first = null, ...sizes] = keys;
  if (first instanceof PuppetType) {
    return new ArrayType(first, sizes.length === 0 ? undefined : sizeOf(sizes, 1));
  }
  if (keys.length !== 2) throw notAType('Array-Type', first, 0);
  return new ArrayType(undefined, sizeOf(keys, 0));
}

function hashOf(keys: readonly Value[]): PuppetType {
  const [key = null, value = null, ...sizes] = keys;
  if (keys.length === 2 && isInteger(key) && isInteger(value)) {
    return new HashType(undefined, undefined, rangeOf(key, value));
  }
  for (const [index, type] of keys.slice(0, 2).entries()) {
    if (!(type instanceof PuppetType)) throw notAType('Hash-Type', type, index);
  }
  if (keys.length < 2 || keys.length > 4) throw arity('Hash-Type', [2, 4], keys.length);
  if (!(key instanceof PuppetType) || !(value instanceof PuppetType)) throw fault('unreachable');
  return new HashType(key, value, sizes.length === 0 ? undefined : sizeOf(sizes, 2));
}

function enumOf(type: PuppetType, keys: readonly Value[]): PuppetType {
  const last = keys.at(-1);
  const isMarked = typeof last === 'boolean';
  const values = isMarked ? keys.slice(0, -1) : keys;
  assertKeys(type, values, {
    max: Infinity,
    isAllowed: (key) => typeof key === 'string',
    expected: 'String',
  });
  return new EnumType(values.map(String), last === true);
}
