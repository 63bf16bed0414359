/** Types from the attributes that rich data has for them. */

import { PuppetType } from '../puppet-type.ts';
import { findBuiltinType } from '../resolution/named-types.ts';
import { objectOf } from '../resolution/type-factory.ts';
import { AliasType } from '../types/alias-type.ts';
import { ArrayType } from '../types/array-type.ts';
import type { Bound } from '../types/bound.ts';
import { CallableType } from '../types/callable-type.ts';
import { CollectionType } from '../types/collection-type.ts';
import { EnumType } from '../types/enum-type.ts';
import { HashType } from '../types/hash-type.ts';
import { InitType } from '../types/init-type.ts';
import { IterableType, IteratorType } from '../types/iterable-types.ts';
import { FloatType, IntegerType } from '../types/number-types.ts';
import { ObjectType } from '../types/object-type.ts';
import { RuntimeType, UriType } from '../types/opaque-types.ts';
import { NotUndefType, OptionalType } from '../types/optional-types.ts';
import { PatternType } from '../types/pattern-type.ts';
import { AnyType, UnitType } from '../types/plain-types.ts';
import { ClassType, ResourceType, TypeReferenceType } from '../types/reference-types.ts';
import { RegexpType } from '../types/regexp-type.ts';
import { SemVerType } from '../types/semver-types.ts';
import { StringType } from '../types/string-type.ts';
import { literalKey, StructElement, StructType } from '../types/struct-type.ts';
import { TimespanType, TimestampType } from '../types/time-types.ts';
import { TupleType } from '../types/tuple-type.ts';
import { TypeType } from '../types/type-type.ts';
import { VariantType } from '../types/variant-type.ts';
import { Float, isArray, isInteger, PuppetHash, type Value } from '../value.ts';
import { RegexpValue } from '../values/regexp-value.ts';
import { SemVerRangeValue } from '../values/semver-range-value.ts';
import { TimeValue } from '../values/time-value.ts';

/** @returns the type for `Pcore::IntegerType` and its like; `undefined` for other names */
export function typeFromData(mark: string, attributes: PuppetHash): Value | undefined {
  if (mark === 'Pcore::StructElement') return attributes;
  const kind = /^Pcore::(\w+)Type$/.exec(mark)?.[1];
  if (kind === undefined) return undefined;
  return MAKERS[kind]?.(attributes) ?? findBuiltinType(kind);
}

type Maker = (attributes: PuppetHash) => PuppetType;

function typeAt(attributes: PuppetHash, name: string): PuppetType | undefined {
  const value = attributes.get(name);
  return value instanceof PuppetType ? value : undefined;
}
function sizeAt(attributes: PuppetHash, name: string): IntegerType | undefined {
  const value = attributes.get(name);
  return value instanceof IntegerType ? value : undefined;
}
function textAt(attributes: PuppetHash, name: string): string | undefined {
  const value = attributes.get(name);
  return typeof value === 'string' ? value : undefined;
}
function listAt(attributes: PuppetHash, name: string): readonly Value[] {
  const value = attributes.get(name);
  return value !== undefined && isArray(value) ? value : [];
}
function typesAt(attributes: PuppetHash, name: string): readonly PuppetType[] {
  return listAt(attributes, name).filter((item) => item instanceof PuppetType);
}
function boundAt(attributes: PuppetHash, name: string, open: number): Bound {
  const value = attributes.get(name);
  if (value instanceof TimeValue) return value.nanoseconds;
  if (value instanceof Float) return value.value;
  return value !== undefined && value !== null && isInteger(value) ? value : open;
}

const MAKERS: Readonly<Record<string, Maker>> = {
  Array: (given) => new ArrayType(typeAt(given, 'element_type'), sizeAt(given, 'size_type')),
  Callable: (given) => {
    const params = typeAt(given, 'param_types');
    const tuple = params instanceof TupleType ? params : undefined;
    return new CallableType(tuple, typeAt(given, 'block_type'), typeAt(given, 'return_type'));
  },
  Class: (given) => new ClassType(textAt(given, 'class_name')),
  Collection: (given) => new CollectionType(sizeAt(given, 'size_type')),
  Enum: (given) => new EnumType(listAt(given, 'values').map(String), given.get('case_insensitive') === true),
  Float: (given) =>
    new FloatType(Number(boundAt(given, 'from', -Infinity)), Number(boundAt(given, 'to', Infinity))),
  Hash: (given) =>
    new HashType(typeAt(given, 'key_type'), typeAt(given, 'value_type'), sizeAt(given, 'size_type')),
  Init: (given) => new InitType(typeAt(given, 'type'), listAt(given, 'init_args')),
  Integer: (given) => new IntegerType(boundAt(given, 'from', -Infinity), boundAt(given, 'to', Infinity)),
  Iterable: (given) => new IterableType(typeAt(given, 'type')),
  Iterator: (given) => new IteratorType(typeAt(given, 'type')),
  NotUndef: (given) => new NotUndefType(typeAt(given, 'type')),
  Object: (given) => {
    const definition = given.get('_pcore_init_hash');
    return definition instanceof PuppetHash ? objectOf(definition) : ObjectType.DEFAULT;
  },
  Optional: (given) => new OptionalType(typeAt(given, 'type')),
  Pattern: (given) =>
    new PatternType(
      typesAt(given, 'patterns').flatMap((type) =>
        type instanceof RegexpType && type.pattern !== undefined ? [type.pattern] : [],
      ),
    ),
  Regexp: (given) => {
    const pattern = textAt(given, 'pattern');
    return new RegexpType(pattern === undefined ? undefined : new RegexpValue(pattern));
  },
  Resource: (given) => new ResourceType(textAt(given, 'type_name'), textAt(given, 'title')),
  Runtime: (given) => new RuntimeType(textAt(given, 'runtime'), given.get('name_or_pattern')),
  SemVer: (given) =>
    new SemVerType(listAt(given, 'ranges').filter((range) => range instanceof SemVerRangeValue)),
  String: (given) =>
    new StringType(textAt(given, 'size_type_or_value') ?? sizeAt(given, 'size_type_or_value')),
  Struct: (given) => new StructType(listAt(given, 'elements').flatMap(elementFrom)),
  Timespan: (given) => new TimespanType(boundAt(given, 'from', -Infinity), boundAt(given, 'to', Infinity)),
  Timestamp: (given) => new TimestampType(boundAt(given, 'from', -Infinity), boundAt(given, 'to', Infinity)),
  Tuple: (given) => new TupleType(typesAt(given, 'types'), sizeAt(given, 'size_type')),
  Unit: () => UnitType.DEFAULT,
  Type: (given) => new TypeType(typeAt(given, 'type')),
  TypeAlias: (given) => {
    const resolved = typeAt(given, 'resolved_type') ?? AnyType.DEFAULT;
    return new AliasType(textAt(given, 'name') ?? '', () => resolved);
  },
  TypeReference: (given) => new TypeReferenceType(textAt(given, 'type_string') ?? ''),
  URI: (given) => {
    const parameters = given.get('parameters');
    return new UriType(parameters instanceof PuppetHash ? parameters : undefined);
  },
  Variant: (given) => new VariantType(typesAt(given, 'types')),
};

function elementFrom(data: Value): readonly StructElement[] {
  if (!(data instanceof PuppetHash)) return [];
  const [key, value] = [typeAt(data, 'key_type'), typeAt(data, 'value_type')];
  const literal = key === undefined ? undefined : literalKey(key);
  return literal === undefined || value === undefined
    ? []
    : [new StructElement(literal.name, value, literal.isOptional)];
}
