import type { PuppetType } from '../puppet-type.ts';
import { ArrayType } from './array-type.ts';
import { greatest, least } from './bound.ts';
import { DATA, RICH_DATA } from './builtin-aliases.ts';
import { CallableType } from './callable-type.ts';
import { EnumType } from './enum-type.ts';
import { HashType } from './hash-type.ts';
import { FloatType, IntegerType, NumericType } from './number-types.ts';
import { PatternType } from './pattern-type.ts';
import { AnyType, UndefType, UnitType } from './plain-types.ts';
import { ClassType, ResourceType } from './reference-types.ts';
import { RegexpType } from './regexp-type.ts';
import { ScalarDataType, ScalarType } from './scalar-types.ts';
import { StringType } from './string-type.ts';
import { TypeType } from './type-type.ts';
import { VariantType } from './variant-type.ts';

/** The narrowest type that the reference finds for instances of both. */
export function commonType(a: PuppetType, b: PuppetType): PuppetType {
  if (a instanceof UndefType || a instanceof UnitType) return b;
  if (b instanceof UndefType || b instanceof UnitType) return a;
  if (a.isAssignable(b)) return a;
  if (b.isAssignable(a)) return b;
  return commonOfKind(a, b) ?? commonAncestor(a, b);
}

function commonOfKind(a: PuppetType, b: PuppetType): PuppetType | undefined {
  if (a instanceof ArrayType && b instanceof ArrayType)
    return new ArrayType(commonType(a.elementType, b.elementType));
  if (a instanceof HashType && b instanceof HashType) {
    return new HashType(commonType(a.keyType, b.keyType), commonType(a.valueType, b.valueType));
  }
  if (a instanceof ClassType && b instanceof ClassType) return ClassType.DEFAULT;
  if (a instanceof ResourceType && b instanceof ResourceType) {
    return a.typeName === b.typeName ? new ResourceType(a.typeName) : ResourceType.DEFAULT;
  }
  if (a instanceof IntegerType && b instanceof IntegerType) {
    return new IntegerType(least(a.from, b.from), greatest(a.to, b.to));
  }
  if (a instanceof FloatType && b instanceof FloatType) {
    return new FloatType(Math.min(a.from, b.from), Math.max(a.to, b.to));
  }
  return commonText(a, b) ?? commonOthers(a, b);
}

function commonText(a: PuppetType, b: PuppetType): PuppetType | undefined {
  if (a instanceof StringType && b instanceof EnumType) {
    return a.value === undefined ? EnumType.DEFAULT : new EnumType([...b.values, a.value]);
  }
  if (a instanceof EnumType && b instanceof StringType) return commonText(b, a);
  if (a instanceof EnumType && b instanceof EnumType) return new EnumType([...a.values, ...b.values]);
  if (a instanceof PatternType && b instanceof PatternType)
    return new PatternType([...a.patterns, ...b.patterns]);
  if (!(a instanceof StringType) || !(b instanceof StringType)) return undefined;
  if (a.sizeType !== undefined && b.sizeType !== undefined) {
    return new StringType(
      new IntegerType(least(a.sizeType.from, b.sizeType.from), greatest(a.sizeType.to, b.sizeType.to)),
    );
  }
  if (a.value === undefined || b.value === undefined) return StringType.DEFAULT;
  return new EnumType([a.value, b.value]);
}

function commonOthers(a: PuppetType, b: PuppetType): PuppetType | undefined {
  if (a instanceof VariantType && b instanceof VariantType) return VariantType.of([...a.types, ...b.types]);
  if (a instanceof RegexpType && b instanceof RegexpType) return RegexpType.DEFAULT;
  if (a instanceof CallableType && b instanceof CallableType) return CallableType.DEFAULT;
  return undefined;
}

function commonAncestor(a: PuppetType, b: PuppetType): PuppetType {
  const accepts = (type: PuppetType): boolean => type.isAssignable(a) && type.isAssignable(b);
  if (accepts(NumericType.DEFAULT)) return NumericType.DEFAULT;
  if (accepts(ScalarDataType.DEFAULT)) return ScalarDataType.DEFAULT;
  if (accepts(ScalarType.DEFAULT)) return ScalarType.DEFAULT;
  if (accepts(DATA)) return DATA;
  if (a instanceof TypeType && b instanceof TypeType) {
    return new TypeType(
      a.type === undefined || b.type === undefined ? undefined : commonType(a.type, b.type),
    );
  }
  return accepts(RICH_DATA) ? RICH_DATA : AnyType.DEFAULT;
}
