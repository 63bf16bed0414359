/** What type a value has, and what types have in common. */

import { PuppetType } from './puppet-type.ts';
import { ArrayType } from './types/array-type.ts';
import { BooleanType } from './types/boolean-type.ts';
import { commonType } from './types/common-type.ts';
import { HashType } from './types/hash-type.ts';
import { FloatType, IntegerType } from './types/number-types.ts';
import { BinaryType, RuntimeType, SensitiveType, UriType } from './types/opaque-types.ts';
import { DefaultType, UndefType, UnitType } from './types/plain-types.ts';
import { RegexpType } from './types/regexp-type.ts';
import { SemVerRangeType, SemVerType } from './types/semver-types.ts';
import { StringType } from './types/string-type.ts';
import { StructElement, StructType } from './types/struct-type.ts';
import { TimespanType, TimestampType } from './types/time-types.ts';
import { TupleType } from './types/tuple-type.ts';
import { TypeType } from './types/type-type.ts';
import { VariantType } from './types/variant-type.ts';
import { Float, isArray, isDefault, isInteger, type OpaqueValue, PuppetHash, type Value } from './value.ts';
import { BinaryValue } from './values/binary-value.ts';
import { ByteString } from './values/byte-string.ts';
import { RegexpValue } from './values/regexp-value.ts';
import { SemVerRangeValue } from './values/semver-range-value.ts';
import { SemVerValue } from './values/semver-value.ts';
import { SensitiveValue } from './values/sensitive-value.ts';
import { TimespanValue } from './values/timespan-value.ts';
import { TimestampValue } from './values/timestamp-value.ts';
import { UriValue } from './values/uri-value.ts';

/** The type of a value with its sizes and ranges; elements of a collection are reduced to one type. */
export function infer(value: Value): PuppetType {
  if (isArray(value)) {
    if (value.length === 0) return ArrayType.EMPTY;
    return new ArrayType(commonOf(value), new IntegerType(value.length, value.length));
  }
  if (value instanceof PuppetHash) {
    if (value.size === 0) return HashType.EMPTY;
    const size = new IntegerType(value.size, value.size);
    return new HashType(commonOf(value.keys()), commonOf(value.values()), size);
  }
  return inferOther(value, false);
}

/** The type of a value in all detail: Tuple and Struct, and the very value where a type can say it. */
export function inferDetailed(value: Value): PuppetType {
  if (isArray(value)) return value.length === 0 ? ArrayType.EMPTY : new TupleType(value.map(inferDetailed));
  if (value instanceof PuppetHash) return value.size === 0 ? HashType.EMPTY : inferHashInDetail(value);
  return inferOther(value, true);
}

/** The type of a value without sizes and ranges. */
export function inferGeneric(value: Value): PuppetType {
  return infer(value).generalize();
}

function inferHashInDetail(hash: PuppetHash): PuppetType {
  const elements: StructElement[] = [];
  for (const [key, item] of hash) {
    const name = key instanceof ByteString ? key.text : key;
    if (typeof name !== 'string' || name === '') break;
    elements.push(new StructElement(name, inferDetailed(item)));
  }
  if (elements.length === hash.size) return new StructType(elements);
  return new HashType(
    VariantType.of([...hash.keys()].map(inferDetailed)),
    VariantType.of([...hash.values()].map(inferDetailed)),
    new IntegerType(hash.size, hash.size),
  );
}

function commonOf(values: Iterable<Value>): PuppetType {
  let common: PuppetType | undefined;
  for (const value of values) {
    const type = infer(value);
    common = common === undefined ? type : commonType(common, type);
  }
  return common ?? UnitType.DEFAULT;
}

function inferOther(value: Exclude<Value, readonly Value[] | PuppetHash>, isDetailed: boolean): PuppetType {
  if (value === null) return UndefType.DEFAULT;
  if (typeof value === 'string') return new StringType(value);
  if (isInteger(value)) return new IntegerType(value, value);
  if (typeof value === 'boolean') return value ? BooleanType.TRUE : BooleanType.FALSE;
  if (value instanceof Float) return new FloatType(value.value, value.value);
  if (value instanceof PuppetType) return new TypeType(value);
  if (isDefault(value)) return DefaultType.DEFAULT;
  return inferOpaque(value as OpaqueValue, isDetailed);
}

function inferOpaque(value: OpaqueValue, isDetailed: boolean): PuppetType {
  if (value instanceof ByteString) return StringType.ofBytes(value);
  if (value instanceof RegexpValue) return new RegexpType(value);
  if (value instanceof SensitiveValue) return new SensitiveType(infer(value.unwrap()));
  if (value instanceof BinaryValue) return BinaryType.DEFAULT;
  if (value instanceof TimestampValue) return new TimestampType(value.nanoseconds, value.nanoseconds);
  if (value instanceof TimespanValue) return new TimespanType(value.nanoseconds, value.nanoseconds);
  if (value instanceof SemVerValue) {
    return isDetailed ? new SemVerType([SemVerRangeValue.between(value, value)]) : SemVerType.DEFAULT;
  }
  if (value instanceof SemVerRangeValue) return SemVerRangeType.DEFAULT;
  if (value instanceof UriValue) return UriType.ofValue(value);
  return value.inferType() ?? RuntimeType.DEFAULT;
}
