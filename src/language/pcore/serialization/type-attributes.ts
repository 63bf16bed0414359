/** The parts of types as rich data names them. */

import type { PuppetType } from '../puppet-type.ts';
import { AliasType } from '../types/alias-type.ts';
import { ArrayType } from '../types/array-type.ts';
import type { Bound } from '../types/bound.ts';
import { CallableType } from '../types/callable-type.ts';
import { CollectionType } from '../types/collection-type.ts';
import { ContainingType } from '../types/containing-type.ts';
import { EnumType } from '../types/enum-type.ts';
import { HashType } from '../types/hash-type.ts';
import { InitType } from '../types/init-type.ts';
import { FloatType, IntegerType } from '../types/number-types.ts';
import { ObjectExtensionType } from '../types/object-type.ts';
import { RuntimeType, SensitiveType, UriType } from '../types/opaque-types.ts';
import { PatternType } from '../types/pattern-type.ts';
import { ClassType, ResourceType, TypeReferenceType } from '../types/reference-types.ts';
import { RegexpType } from '../types/regexp-type.ts';
import { SemVerType } from '../types/semver-types.ts';
import { StringType } from '../types/string-type.ts';
import { TimespanType, TimestampType } from '../types/time-types.ts';
import { TupleType } from '../types/tuple-type.ts';
import { VariantType } from '../types/variant-type.ts';
import { Float, type Value } from '../value.ts';
import { TimestampValue } from '../values/timestamp-value.ts';

/** An attribute with what it is when it is not said: such ones are left out at the end. */
export interface TypeAttribute {
  readonly name: string;
  readonly value: Value;
  readonly isDefault: boolean;
}

function attribute(name: string, value: Value | undefined, isDefault = value === undefined): TypeAttribute {
  return { name, value: value ?? null, isDefault };
}

/** In the order of the reference's constructors. */
export function typeAttributes(type: PuppetType): readonly TypeAttribute[] {
  return sizedAttributes(type) ?? rangeAttributes(type) ?? textAttributes(type) ?? otherAttributes(type);
}

function sizedAttributes(type: PuppetType): readonly TypeAttribute[] | undefined {
  if (type instanceof ArrayType) {
    return [
      attribute('element_type', type.elementType, type.elementType.kind === 'Any'),
      attribute('size_type', type.sizeType),
    ];
  }
  if (type instanceof HashType) {
    return [
      attribute('key_type', type.keyType, type.keyType.kind === 'Any'),
      attribute('value_type', type.valueType, type.valueType.kind === 'Any'),
      attribute('size_type', type.sizeType),
    ];
  }
  if (type instanceof CollectionType) return [attribute('size_type', type.sizeType)];
  if (type instanceof TupleType)
    return [attribute('types', type.types), attribute('size_type', type.sizeType)];
  if (type instanceof CallableType) {
    return [
      attribute('param_types', type.paramTypes),
      attribute('block_type', type.blockType),
      // Any is the default, which the reference holds as nothing.
      attribute('return_type', type.returnType, false),
    ];
  }
  return undefined;
}

function rangeAttributes(type: PuppetType): readonly TypeAttribute[] | undefined {
  const range = (from: Value | undefined, to: Value | undefined): readonly TypeAttribute[] => [
    attribute('from', from),
    attribute('to', to),
  ];
  if (type instanceof IntegerType) return range(closed(type.from), closed(type.to));
  if (type instanceof FloatType) return range(floatBound(type.from), floatBound(type.to));
  if (type instanceof TimespanType)
    return range(TimespanType.valueAt(type.from), TimespanType.valueAt(type.to));
  if (type instanceof TimestampType) {
    const point = (bound: Bound): Value | undefined =>
      typeof bound === 'bigint' ? new TimestampValue(bound) : undefined;
    return range(point(type.from), point(type.to));
  }
  return undefined;
}

function closed(bound: Bound): Value | undefined {
  return bound === -Infinity || bound === Infinity ? undefined : bound;
}
function floatBound(bound: number): Value | undefined {
  return Number.isFinite(bound) ? new Float(bound) : undefined;
}

function textAttributes(type: PuppetType): readonly TypeAttribute[] | undefined {
  if (type instanceof StringType)
    return [attribute('size_type_or_value', type.bytes ?? type.value ?? type.sizeType)];
  if (type instanceof EnumType) {
    return [
      attribute('values', type.values),
      attribute('case_insensitive', type.isCaseInsensitive, !type.isCaseInsensitive),
    ];
  }
  if (type instanceof RegexpType) return [attribute('pattern', type.pattern?.source)];
  if (type instanceof PatternType) {
    return [
      attribute(
        'patterns',
        type.patterns.map((pattern) => new RegexpType(pattern)),
      ),
    ];
  }
  if (type instanceof SemVerType) return [attribute('ranges', type.ranges, type.ranges.length === 0)];
  if (type instanceof TypeReferenceType) return [attribute('type_string', type.typeString)];
  if (type instanceof ClassType) return [attribute('class_name', type.className)];
  if (type instanceof ResourceType)
    return [attribute('type_name', type.typeName), attribute('title', type.title)];
  return undefined;
}

function otherAttributes(type: PuppetType): readonly TypeAttribute[] {
  if (type instanceof VariantType) return [attribute('types', type.types)];
  if (type instanceof InitType) {
    return [attribute('type', type.type), attribute('init_args', type.initArgs, type.initArgs.length === 0)];
  }
  // The reference forgets what is hidden.
  if (type instanceof SensitiveType) return [];
  if (type instanceof ContainingType) return [attribute('type', type.type)];
  if (type instanceof UriType) return [attribute('parameters', type.parameters)];
  if (type instanceof RuntimeType) {
    return [attribute('runtime', type.runtime), attribute('name_or_pattern', type.nameOrPattern)];
  }
  if (type instanceof AliasType) {
    return [
      attribute('name', type.name),
      attribute('type_expr', null, false),
      attribute('resolved_type', type.resolved),
    ];
  }
  if (type instanceof ObjectExtensionType) {
    return [attribute('base_type', type.base), attribute('init_parameters', [...type.parameters.values()])];
  }
  return [];
}
