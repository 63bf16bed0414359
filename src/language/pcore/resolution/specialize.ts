/** `Type[parameters]` in type expressions: mistakes are those of the reference's type parser. */

import { fault } from '../fault.ts';
import { plainText } from '../formats/plain-text.ts';
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
import { DefaultType } from '../types/plain-types.ts';
import { ClassType, ResourceType, TypeReferenceType } from '../types/reference-types.ts';
import { StringType } from '../types/string-type.ts';
import { TypeType } from '../types/type-type.ts';
import { VariantType } from '../types/variant-type.ts';
import { DEFAULT, Float, isArray, isDefault, isInteger, PuppetHash, type Value } from '../value.ts';
import type { TypeResolver } from './interpret.ts';
import {
  callableOf,
  floatRangeOf,
  isRangeParameter,
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
import { typeSetOf } from './type-set.ts';

export interface Specialization {
  /** The type's name as written. */
  readonly name: string;
  readonly resolver: TypeResolver;
  /** Makes the error about the expression as a whole. */
  readonly invalid: () => Error;
}
type Specialize = (keys: readonly Value[], context: Specialization) => PuppetType;

/** How many parameters a type takes, and how the reference says so. */
interface Count {
  readonly text: string;
  readonly min: number;
  readonly max: number;
}
const ONE: Count = { text: '1', min: 1, max: 1 };
const TWO: Count = { text: '2', min: 2, max: 2 };
const ONE_TO_TWO: Count = { text: '1 to 2', min: 1, max: 2 };
const ONE_OR_TWO: Count = { text: '1 or 2', min: 1, max: 2 };
const ONE_OR_MORE: Count = { text: '1 or more', min: 1, max: Infinity };
const NONE_TO_ONE: Count = { text: '0 to 1', min: 0, max: 1 };
const NONE_TO_TWO: Count = { text: '0 to 2', min: 0, max: 2 };
const ONE_TO_THREE: Count = { text: '1 to 3', min: 1, max: 3 };
const TWO_TO_FOUR: Count = { text: '2 to 4', min: 2, max: 4 };
const TWO_AFTER_AN_ARRAY: Count = { text: '2 when first parameter is an array', min: 2, max: 2 };

/** @throws PuppetError when the type does not take such parameters */
export function specializeType(
  type: PuppetType,
  keys: readonly Value[],
  context: Specialization,
): PuppetType {
  if (type instanceof ResourceType && type.typeName !== undefined) {
    assertCount(context.name, keys, ONE);
    return new ResourceType(type.typeName, typeof keys[0] === 'string' ? keys[0] : undefined);
  }
  if (type instanceof ObjectType && type !== ObjectType.DEFAULT) return objectExtensionOf(type, keys);
  const specialize = type.name === type.kind ? SPECIALIZE[type.kind] : undefined;
  if (specialize === undefined) throw fault(`Not a parameterized type <${context.name}>`);
  return specialize(keys, context);
}

const SPECIALIZE: Readonly<Record<string, Specialize>> = {
  Array: arrayOf,
  Boolean: (keys) => {
    assertCount('Boolean', keys, ONE);
    const [value] = keys;
    if (typeof value !== 'boolean') throw fault('Boolean parameter must be true or false');
    return value ? BooleanType.TRUE : BooleanType.FALSE;
  },
  Callable: (keys) => {
    if (keys.length > 1 && isArray(keys[0] ?? null)) {
      assertCount('callable', keys, TWO_AFTER_AN_ARRAY);
    }
    return callableOf(keys);
  },
  Class: (keys) => {
    assertCount('Class', keys, ONE);
    return new ClassType(plainText(keys[0] ?? null).replace(/^::/, ''));
  },
  Collection: (keys, context) => {
    assertCount('Collection', keys, ONE_TO_TWO);
    return new CollectionType(sizeOf(keys, context));
  },
  Enum: (keys) => {
    const last = keys.at(-1);
    const values = typeof last === 'boolean' ? keys.slice(0, -1) : keys;
    assertCount('Enum', values, ONE_OR_MORE);
    if (!values.every((value) => typeof value === 'string')) {
      throw fault('Enum parameters must be identifiers or strings');
    }
    return new EnumType(values, last === true);
  },
  Float: (keys, context) => {
    assertCount('Float', keys, ONE_OR_TWO);
    const isBound = (key: Value): boolean => isInteger(key) || key instanceof Float || isDefault(key);
    const bounds = boundsOf(keys);
    if (!bounds.every(isBound)) throw context.invalid();
    return floatRangeOf(bounds[0], bounds[1]);
  },
  Hash: hashOf,
  Init: (keys, context) => {
    const [type = null, ...args] = keys;
    return new InitType(typeOf(type, context), args);
  },
  Integer: (keys, context) => {
    assertCount('Integer', keys, ONE_OR_TWO);
    const bounds = boundsOf(keys);
    assertIntegers(bounds, context);
    return rangeOf(bounds[0], bounds[1]);
  },
  Iterable: (keys, context) => new IterableType(onlyType('Iterable', keys, context)),
  Iterator: (keys, context) => new IteratorType(onlyType('Iterator', keys, context)),
  NotUndef: (keys, context) => {
    assertCount('NotUndef', keys, NONE_TO_ONE);
    const [key] = keys;
    return key === undefined ? NotUndefType.DEFAULT : new NotUndefType(typeOrLiteral(key, context));
  },
  Object: (keys) => {
    assertCount('Object', keys, ONE);
    return objectOf(keys[0] ?? null);
  },
  Optional: (keys, context) => {
    assertCount('Optional', keys, ONE);
    return new OptionalType(typeOrLiteral(keys[0] ?? null, context));
  },
  Pattern: (keys) => {
    assertCount('Pattern', keys, ONE_OR_MORE);
    return patternOf(keys);
  },
  Regexp: (keys) => {
    assertCount('Regexp', keys, ONE);
    return regexpOf(keys[0] ?? null);
  },
  Resource: (keys) => resourceOf(keys),
  Runtime: (keys) => {
    assertCount('Runtime', keys, TWO);
    return runtimeOf(plainText(keys[0] ?? null), keys[1] ?? null);
  },
  SemVer: (keys) => {
    assertCount('SemVer', keys, ONE_OR_MORE);
    return semVerOf(keys);
  },
  Sensitive: (keys, context) => {
    assertCount('Sensitive', keys, NONE_TO_ONE);
    return keys[0] === undefined ? SensitiveType.DEFAULT : new SensitiveType(typeOf(keys[0], context));
  },
  String: (keys, context) => {
    assertCount('String', keys, ONE_TO_TWO);
    return new StringType(sizeOf(keys, context));
  },
  Struct: (keys, context) => {
    assertCount('Struct', keys, ONE);
    if (!(keys[0] instanceof PuppetHash)) throw context.invalid();
    return structOf(keys[0]);
  },
  Timespan: (keys) => {
    assertCount('Timespan', keys, NONE_TO_TWO);
    return timespanOf(keys);
  },
  Timestamp: (keys) => {
    assertCount('Timestamp', keys, NONE_TO_TWO);
    return timestampOf(keys);
  },
  Tuple: (keys) => {
    assertCount('Tuple', keys, ONE_OR_MORE);
    const { types, sizeType } = splitSize(keys);
    return tupleOf(types, sizeType);
  },
  Type: (keys, context) => new TypeType(onlyType('Type', keys, context)),
  TypeSet: (keys, { resolver }) => {
    assertCount('Object', keys, ONE);
    return typeSetOf(keys[0] ?? null, resolver);
  },
  URI: (keys) => {
    assertCount('URI', keys, ONE);
    return uriOf(keys[0] ?? null);
  },
  Variant: (keys, context) => {
    assertCount('Variant', keys, ONE_OR_MORE);
    return VariantType.of(keys.map((key) => typeOf(key, context)));
  },
};

function assertCount(name: string, keys: readonly Value[], { max, min, text }: Count): void {
  if (keys.length >= min && keys.length <= max) return;
  throw fault(
    `Invalid number of type parameters specified: ${name} requires ${text}, ${keys.length} provided`,
  );
}

/** Of two bounds undef is an open end, as `default` is. */
function boundsOf(keys: readonly Value[]): readonly Value[] {
  return keys.length === 2 ? keys.map((key) => key ?? DEFAULT) : keys;
}

/** The reference looks at one bound alone; of two Ruby complains, which compares them. */
function assertIntegers(keys: readonly Value[], { invalid }: Specialization): void {
  const [from = null, to = null] = keys;
  if (typeof to === 'string' && isInteger(from)) throw fault('comparison of Integer with String failed');
  if (typeof to === 'string' && isDefault(from)) throw fault('comparison of Float with String failed');
  if (typeof from === 'string' && isInteger(to)) throw fault(`comparison of String with ${to} failed`);
  if (!keys.every((key) => isInteger(key) || isDefault(key))) throw invalid();
}

function typeOf(key: Value, { invalid }: Specialization): PuppetType {
  if (key instanceof PuppetType) return key;
  throw invalid();
}

function typeOrLiteral(key: Value, context: Specialization): PuppetType {
  return typeof key === 'string' ? new StringType(key) : typeOf(key, context);
}

function onlyType(name: string, keys: readonly Value[], context: Specialization): PuppetType {
  assertCount(name, keys, ONE);
  return typeOf(keys[0] ?? null, context);
}

function sizeOf(keys: readonly Value[], { invalid }: Specialization): IntegerType {
  const [first] = keys;
  if (keys.length === 1 && first instanceof IntegerType) return first;
  if (!keys.every(isRangeParameter)) throw invalid();
  return rangeOf(keys[0], keys[1]);
}

function arrayOf(keys: readonly Value[], context: Specialization): PuppetType {
  assertCount('Array', keys, ONE_TO_THREE);
  const [first = null, ...sizes] = keys;
  // Where only sizes are given, the reference takes `default` for the element.
  if (keys.length === 2 && !(first instanceof PuppetType)) {
    return new ArrayType(DefaultType.DEFAULT, sizeOf(keys, context));
  }
  const element = typeOf(first, context);
  return new ArrayType(element, sizes.length === 0 ? undefined : sizeOf(sizes, context));
}

function hashOf(keys: readonly Value[], context: Specialization): PuppetType {
  assertCount('Hash', keys, TWO_TO_FOUR);
  const [key = null, value = null, ...sizes] = keys;
  const hasTypes = key instanceof PuppetType && value instanceof PuppetType;
  if (keys.length === 2 && !hasTypes) {
    return new HashType(DefaultType.DEFAULT, DefaultType.DEFAULT, sizeOf(keys, context));
  }
  const size = sizes.length === 0 ? undefined : sizeOf(sizes, context);
  return new HashType(typeOf(key, context), typeOf(value, context), size);
}

function resourceOf(keys: readonly Value[]): PuppetType {
  assertCount('Resource', keys, ONE_OR_TWO);
  const [type, title] = keys;
  const name =
    type instanceof ResourceType ? type.typeName : type instanceof TypeReferenceType ? type.typeString : type;
  if (typeof name !== 'string') throw fault('The type name cannot be a Puppet::Pops::Types::PAnyType');
  if (!/^((::)?[A-Za-z]\w*)+$/.test(name)) throw fault(`Illegal type name '${name}'`);
  return new ResourceType(name, typeof title === 'string' ? title : undefined);
}
