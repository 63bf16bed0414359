/** `expects an Integer value, got String`: how much detail of both types is worth saying. */

import type { PuppetType } from '../puppet-type.ts';
import { AliasType } from '../types/alias-type.ts';
import { ArrayType } from '../types/array-type.ts';
import { ContainingType } from '../types/containing-type.ts';
import { HashType } from '../types/hash-type.ts';
import { ObjectExtensionType, ObjectType } from '../types/object-type.ts';
import { OptionalType } from '../types/optional-types.ts';
import { AnyType } from '../types/plain-types.ts';
import { StringType } from '../types/string-type.ts';
import { StructType } from '../types/struct-type.ts';
import { TupleType } from '../types/tuple-type.ts';
import { VariantType } from '../types/variant-type.ts';
import { withArticle } from './article.ts';

export function typeText(expected: PuppetType, actual: PuppetType): string {
  const isOptional = expected instanceof OptionalType;
  const content = isOptional ? (expected.type ?? AnyType.DEFAULT) : expected;
  const alternatives = content instanceof VariantType ? content.types : [content];
  const isDetailed = alternatives.some((type) => needsDetail(type, actual) || isOfSameKind(type, actual));
  const names = isDetailed
    ? alternatives.map((type) => type.toExpandedString())
    : alternatives.map(shortName);
  // Short names of an alternative may coincide; so may not those of a single type.
  const distinct = content instanceof VariantType && !isDetailed ? [...new Set(names)] : names;
  const all = isOptional ? ['Undef', ...distinct] : distinct;
  const got = isDetailed ? detailedActual(alternatives, actual) : shortName(actual);
  if (all.length === 1) return `expects ${withArticle(all[0] ?? '')} value, got ${got}`;
  return `expects a value of type ${enumerate(all)}, got ${got}`;
}

/** `expects a match for Enum['a', 'b'], got 'c'` */
export function patternText(expected: PuppetType, actual: PuppetType): string {
  const isOptional = expected instanceof OptionalType;
  const content = isOptional ? (expected.type ?? AnyType.DEFAULT) : expected;
  const got =
    actual instanceof StringType && actual.value !== undefined ? `'${actual.value}'` : shortName(actual);
  return `expects ${isOptional ? 'an undef value or ' : ''}a match for ${content.toExpandedString()}, got ${got}`;
}

function enumerate(names: readonly string[]): string {
  if (names.length <= 2) return names.join(' or ');
  return `${names.slice(0, -1).join(', ')}, or ${names.at(-1)}`;
}

function shortName(type: PuppetType): string {
  if (type instanceof ContainingType && type.type !== undefined && type.type.kind !== 'Any') {
    return `${type.name}[${type.type.name}]`;
  }
  return type.name;
}

/** Both are of one class, or names that have to be explained, or a collection is told apart from its special form. */
function needsDetail(expected: PuppetType, actual: PuppetType): boolean {
  return (
    expected.kind === actual.kind ||
    expected instanceof AliasType ||
    actual instanceof AliasType ||
    (expected instanceof StructType && actual instanceof HashType) ||
    (expected instanceof TupleType && actual instanceof ArrayType)
  );
}

/** The unparameterised form of the expected type would have done. */
function isOfSameKind(expected: PuppetType, actual: PuppetType): boolean {
  const type = expected instanceof AliasType ? expected.resolved : expected;
  return unparameterised(type).isAssignable(actual);
}

function unparameterised(type: PuppetType): PuppetType {
  const { DEFAULT } = type.constructor as unknown as { readonly DEFAULT?: PuppetType };
  return DEFAULT ?? AnyType.DEFAULT;
}

function detailedActual(expected: readonly PuppetType[], actual: PuppetType): string {
  const resolved = expected.map((type) => (type instanceof AliasType ? type.resolved : type));
  if (resolved.some((type) => needsDetail(type, actual))) return actual.toExpandedString();
  const generic = actual.generalize();
  return resolved.some((type) => type.isAssignable(generic)) ? actual.toExpandedString() : simpleName(actual);
}

function simpleName(type: PuppetType): string {
  if (type instanceof ObjectType || type instanceof ObjectExtensionType)
    return type.name.split('::').at(-1) ?? '';
  return type.kind;
}
