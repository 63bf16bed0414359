import type { PuppetType } from '../puppet-type.ts';
import { AliasType } from '../types/alias-type.ts';
import { ArrayType } from '../types/array-type.ts';
import { BooleanType } from '../types/boolean-type.ts';
import { BUILTIN_ALIASES } from '../types/builtin-aliases.ts';
import { BUILTIN_OBJECTS } from '../types/builtin-objects.ts';
import { CallableType } from '../types/callable-type.ts';
import { CollectionType } from '../types/collection-type.ts';
import { EnumType } from '../types/enum-type.ts';
import { HashType } from '../types/hash-type.ts';
import { InitType } from '../types/init-type.ts';
import { IterableType, IteratorType } from '../types/iterable-types.ts';
import { FloatType, IntegerType, NumericType } from '../types/number-types.ts';
import { ObjectType } from '../types/object-type.ts';
import { BinaryType, RuntimeType, SensitiveType, UriType } from '../types/opaque-types.ts';
import { NotUndefType, OptionalType } from '../types/optional-types.ts';
import { PatternType } from '../types/pattern-type.ts';
import { AnyType, CatalogEntryType, DefaultType, UndefType } from '../types/plain-types.ts';
import { ClassType, ResourceType, TypeReferenceType } from '../types/reference-types.ts';
import { RegexpType } from '../types/regexp-type.ts';
import { ScalarDataType, ScalarType } from '../types/scalar-types.ts';
import { SemVerRangeType, SemVerType } from '../types/semver-types.ts';
import { StringType } from '../types/string-type.ts';
import { StructType } from '../types/struct-type.ts';
import { TimespanType, TimestampType } from '../types/time-types.ts';
import { TupleType } from '../types/tuple-type.ts';
import { TypeSetType } from '../types/type-set-type.ts';
import { TypeType } from '../types/type-type.ts';
import { VariantType } from '../types/variant-type.ts';

/** A function, because types and their constructors know each other: nothing of it is ready while loading. */
const coreTypes = (): readonly PuppetType[] => [
  AnyType.DEFAULT,
  ArrayType.DEFAULT,
  BinaryType.DEFAULT,
  BooleanType.DEFAULT,
  CallableType.DEFAULT,
  CatalogEntryType.DEFAULT,
  ClassType.DEFAULT,
  CollectionType.DEFAULT,
  DefaultType.DEFAULT,
  EnumType.DEFAULT,
  FloatType.DEFAULT,
  HashType.DEFAULT,
  InitType.DEFAULT,
  IntegerType.DEFAULT,
  IterableType.DEFAULT,
  IteratorType.DEFAULT,
  NotUndefType.DEFAULT,
  NumericType.DEFAULT,
  ObjectType.DEFAULT,
  OptionalType.DEFAULT,
  PatternType.DEFAULT,
  RegexpType.DEFAULT,
  ResourceType.DEFAULT,
  RuntimeType.DEFAULT,
  ScalarType.DEFAULT,
  ScalarDataType.DEFAULT,
  SemVerType.DEFAULT,
  SemVerRangeType.DEFAULT,
  SensitiveType.DEFAULT,
  StringType.DEFAULT,
  StructType.DEFAULT,
  TimespanType.DEFAULT,
  TimestampType.DEFAULT,
  TupleType.DEFAULT,
  TypeType.DEFAULT,
  TypeReferenceType.DEFAULT,
  TypeSetType.DEFAULT,
  UndefType.DEFAULT,
  UriType.DEFAULT,
  VariantType.DEFAULT,
];

class NamedTypes {
  private known: ReadonlyMap<string, PuppetType> | undefined;

  find(name: string): PuppetType | undefined {
    this.known ??= new Map([
      ...coreTypes().map((type): readonly [string, PuppetType] => [type.kind.toLowerCase(), type]),
      ['typealias', new AliasType('UnresolvedAlias', () => TypeReferenceType.DEFAULT)],
      ...BUILTIN_ALIASES,
      ...BUILTIN_OBJECTS,
    ]);
    return this.known.get(name);
  }
}
const NAMED = new NamedTypes();

/** Finds a type of the language itself; `name` in any case. */
export function findBuiltinType(name: string): PuppetType | undefined {
  return NAMED.find(name.toLowerCase());
}
