/** What the definition of an Object type may contain. */

import type { PuppetType } from '../puppet-type.ts';
import { RegexpValue } from '../values/regexp-value.ts';
import { AliasType } from './alias-type.ts';
import { ArrayType } from './array-type.ts';
import { BooleanType } from './boolean-type.ts';
import { CallableType } from './callable-type.ts';
import { EnumType } from './enum-type.ts';
import { HashType } from './hash-type.ts';
import { NotUndefType, OptionalType } from './optional-types.ts';
import { PatternType } from './pattern-type.ts';
import { AnyType } from './plain-types.ts';
import { StringType } from './string-type.ts';
import { StructElement, StructType } from './struct-type.ts';
import { TypeType } from './type-type.ts';
import { VariantType } from './variant-type.ts';

export type AttributeKind = 'constant' | 'derived' | 'given_or_derived' | 'reference';

const MEMBER_NAME = new PatternType([new RegexpValue(String.raw`\A[a-z_]\w*\z`)]);
export const QUALIFIED_REFERENCE: PatternType = new PatternType([
  new RegexpValue(String.raw`\A[A-Z][\w]*(?:::[A-Z][\w]*)*\z`),
]);

function optional(name: string, type: PuppetType): StructElement {
  return new StructElement(name, type, true);
}
function required(name: string, type: PuppetType): StructElement {
  return new StructElement(name, type);
}
/** Lazily, as Object types need all of this. */
const ANNOTATION = new AliasType('Annotation', () => AnyType.DEFAULT);
const ANNOTATIONS = new OptionalType(
  new HashType(new TypeType(ANNOTATION), new HashType(MEMBER_NAME, AnyType.DEFAULT)),
);

export const FUNCTION_TYPE: TypeType = new TypeType(CallableType.DEFAULT);

export const ATTRIBUTE_SPEC: StructType = new StructType([
  required('type', TypeType.DEFAULT),
  optional('final', BooleanType.DEFAULT),
  optional('override', BooleanType.DEFAULT),
  optional('kind', new EnumType(['constant', 'derived', 'given_or_derived', 'reference'])),
  // A key whose value may be undef may be absent.
  optional('value', AnyType.DEFAULT),
  optional('annotations', ANNOTATIONS),
]);

export const FUNCTION_SPEC: StructType = new StructType([
  required('type', FUNCTION_TYPE),
  optional('final', BooleanType.DEFAULT),
  optional('override', BooleanType.DEFAULT),
  optional('annotations', ANNOTATIONS),
]);

export const OBJECT_DEFINITION: StructType = new StructType([
  optional('name', QUALIFIED_REFERENCE),
  optional('parent', TypeType.DEFAULT),
  optional('type_parameters', new HashType(MEMBER_NAME, NotUndefType.DEFAULT)),
  optional('attributes', new HashType(MEMBER_NAME, NotUndefType.DEFAULT)),
  optional('constants', new HashType(MEMBER_NAME, AnyType.DEFAULT)),
  optional(
    'functions',
    new HashType(new VariantType([MEMBER_NAME, new StringType('[]')]), NotUndefType.DEFAULT),
  ),
  optional('equality', new VariantType([MEMBER_NAME, new ArrayType(MEMBER_NAME)])),
  optional('equality_include_type', BooleanType.DEFAULT),
  optional('checks', AnyType.DEFAULT),
  optional('annotations', ANNOTATIONS),
]);
