/** Finds out where and how a type does not fit another. */

import type { PuppetType } from '../puppet-type.ts';
import { AliasType } from '../types/alias-type.ts';
import { ArrayType } from '../types/array-type.ts';
import { CallableType } from '../types/callable-type.ts';
import { EnumType } from '../types/enum-type.ts';
import { HashType } from '../types/hash-type.ts';
import { IntegerType } from '../types/number-types.ts';
import { ObjectType } from '../types/object-type.ts';
import { OptionalType } from '../types/optional-types.ts';
import { PatternType } from '../types/pattern-type.ts';
import { AnyType, UndefType } from '../types/plain-types.ts';
import { TypeReferenceType } from '../types/reference-types.ts';
import { type StructElement, StructType } from '../types/struct-type.ts';
import { TupleType } from '../types/tuple-type.ts';
import { VariantType } from '../types/variant-type.ts';
import {
  chopPath,
  type Mismatch,
  mergeMismatches,
  type Path,
  type PathElement,
  placeKey,
  typeMismatch,
} from './mismatch.ts';

/** The mismatches between the expected and the actual type; none when it fits. */
export function describe(expected: PuppetType, actual: PuppetType, path: Path): readonly Mismatch[] {
  const unresolved = findUnresolved(expected);
  if (unresolved !== undefined) return [{ kind: 'unresolved', path, key: unresolved }];
  return describeNormalized(expected.normalize(), { original: expected, actual, path });
}

/** `original` is what the messages name: the type before aliases and optionals were taken off. */
interface Context {
  readonly original: PuppetType;
  readonly actual: PuppetType;
  readonly path: Path;
}

function describeNormalized(expected: PuppetType, context: Context): readonly Mismatch[] {
  const { original, actual, path } = context;
  if (expected instanceof VariantType) return describeVariant(expected, context);
  if (expected instanceof StructType) return describeStruct(expected, context);
  if (expected instanceof HashType) return describeHash(expected, context);
  if (expected instanceof TupleType) return describeTuple(expected, context, 'size');
  if (expected instanceof ArrayType) return describeArray(expected, context);
  if (expected instanceof CallableType) return describeCallable(expected, context);
  if (expected instanceof OptionalType) {
    if (actual instanceof UndefType || expected.type === undefined) return [];
    return describeNormalized(expected.type, {
      ...context,
      original: original instanceof AliasType ? original : expected,
    });
  }
  if (expected instanceof PatternType || expected instanceof EnumType) {
    // A value of an enum inside a variant is only reported when it does not fit.
    return [typeMismatch(path, original, actual, 'pattern')];
  }
  if (expected instanceof AliasType) {
    return describeNormalized(expected.resolved.normalize(), { ...context, original: expected });
  }
  return expected.isAssignable(actual) ? [] : [typeMismatch(path, original, actual)];
}

function at(path: Path, kind: PathElement['kind'], key: string | number): Path {
  return [...path, { kind, key }];
}

function describeVariant(expected: VariantType, { original, actual, path }: Context): readonly Mismatch[] {
  const types = original instanceof OptionalType ? [UndefType.DEFAULT, ...expected.types] : expected.types;
  const found: (readonly Mismatch[])[] = [];
  for (const [index, type] of types.entries()) {
    const mismatches = describe(type, actual, at(path, 'variant', index));
    if (mismatches.length === 0) return [];
    found.push(mismatches);
  }
  const merged = mergeAlternatives(path.length, 'size', found);
  return original instanceof AliasType && merged.length === 1
    ? [typeMismatch(path, original, actual)]
    : merged;
}

const FAMILIES: Readonly<Record<string, readonly Mismatch['kind'][]>> = {
  size: ['size', 'count'],
  count: ['count'],
  missing: ['missing-block'],
  unexpected: ['unexpected-block'],
  type: ['type', 'pattern'],
};

/**
 * What to say when none of several alternatives fits: one mismatch where all say the same of one place.
 *
 * @param varyingPosition - where in the paths the number of the alternative stands
 */
export function mergeAlternatives(
  varyingPosition: number,
  sizeKind: 'size' | 'count',
  alternatives: readonly (readonly Mismatch[])[],
): readonly Mismatch[] {
  let all = alternatives.flat();
  for (const family of [sizeKind, 'missing', 'unexpected', 'type']) {
    const members = all.filter((mismatch) => FAMILIES[family]?.includes(mismatch.kind));
    const [first, ...rest] = members;
    if (first === undefined || members.length !== alternatives.length) continue;
    if (!rest.every((mismatch) => placeKey(mismatch) === placeKey(first))) continue;
    all = [rest.reduce<Mismatch>(mergeMismatches, first)];
    break;
  }
  const distinct = all.filter((mismatch, index) => !isRepeated(mismatch, all.slice(0, index)));
  const [only] = distinct;
  return distinct.length === 1 && only !== undefined ? [chopPath(only, varyingPosition)] : distinct;
}

/** The reference means to leave out all repetitions, but only sees those about blocks. */
function isRepeated(mismatch: Mismatch, earlier: readonly Mismatch[]): boolean {
  if (mismatch.kind !== 'missing-block' && mismatch.kind !== 'unexpected-block') return false;
  return earlier.some((other) => other.kind === mismatch.kind && placeKey(other) === placeKey(mismatch));
}

function describeArray(expected: ArrayType, { original, actual, path }: Context): readonly Mismatch[] {
  if (actual instanceof TupleType) {
    const size = actual.sizeType ?? new IntegerType(actual.types.length, actual.types.length);
    if (!expected.size.isAssignable(size))
      return [{ kind: 'size', path, expected: expected.size, actual: size }];
    return actual.types.flatMap((type, index) =>
      expected.elementType.isAssignable(type)
        ? []
        : describe(expected.elementType, type, at(path, 'index', index)),
    );
  }
  if (!(actual instanceof ArrayType)) return [typeMismatch(path, original, actual)];
  if (expected.sizeType?.isAssignable(actual.size) !== false) {
    return [typeMismatch(path, original, new ArrayType(actual.elementType))];
  }
  return [{ kind: 'size', path, expected: expected.sizeType, actual: actual.size }];
}

function describeHash(expected: HashType, { original, actual, path }: Context): readonly Mismatch[] {
  if (actual instanceof StructType) {
    const size = sizeOf(actual.elements);
    if (!expected.size.isAssignable(size))
      return [{ kind: 'size', path, expected: expected.size, actual: size }];
    return actual.elements.flatMap((element) => [
      ...describeUnlessFits(expected.keyType, element.keyType, at(path, 'key', element.name)),
      ...describeUnlessFits(expected.valueType, element.valueType, at(path, 'entry', element.name)),
    ]);
  }
  if (!(actual instanceof HashType)) return [typeMismatch(path, original, actual)];
  if (expected.sizeType?.isAssignable(actual.size) !== false) {
    return [typeMismatch(path, original, new HashType(actual.keyType, actual.valueType))];
  }
  return [{ kind: 'size', path, expected: expected.sizeType, actual: actual.size }];
}

function describeUnlessFits(expected: PuppetType, actual: PuppetType, path: Path): readonly Mismatch[] {
  return expected.isAssignable(actual) ? [] : describe(expected, actual, path);
}

function sizeOf(elements: readonly StructElement[]): IntegerType {
  return new IntegerType(elements.filter((element) => !element.isOptional).length, elements.length);
}

function describeStruct(expected: StructType, { original, actual, path }: Context): readonly Mismatch[] {
  if (actual instanceof StructType) {
    const known = expected.elements.flatMap((element) =>
      describeElement(element, actual.find(element.name), path),
    );
    const extraneous = actual.elements.filter((element) => expected.find(element.name) === undefined);
    return [
      ...known,
      ...extraneous.map(({ name }): Mismatch => ({ kind: 'extraneous-key', path, key: name })),
    ];
  }
  if (!(actual instanceof HashType)) return [typeMismatch(path, original, actual)];
  const size = sizeOf(expected.elements);
  if (!size.isAssignable(actual.size)) return [{ kind: 'size', path, expected: size, actual: actual.size }];
  return [typeMismatch(path, original, new HashType(actual.keyType, actual.valueType))];
}

function describeElement(
  expected: StructElement,
  actual: StructElement | undefined,
  path: Path,
): readonly Mismatch[] {
  if (actual === undefined)
    return expected.isOptional ? [] : [{ kind: 'missing-key', path, key: expected.name }];
  return [
    ...describeUnlessFits(expected.keyType, actual.keyType, at(path, 'key', expected.name)),
    ...describeUnlessFits(expected.valueType, actual.valueType, at(path, 'entry', expected.name)),
  ];
}

function describeTuple(
  expected: TupleType,
  { original, actual, path }: Context,
  kind: 'size' | 'count',
): readonly Mismatch[] {
  if (expected.equals(actual) || (expected.types.length === 0 && actual instanceof ArrayType)) return [];
  if (!(actual instanceof TupleType) && !(actual instanceof ArrayType))
    return [typeMismatch(path, original, actual)];
  if (!expected.size.isAssignable(actual.size))
    return [{ kind, path, expected: expected.size, actual: actual.size }];
  if (actual instanceof ArrayType) {
    return expected.types.flatMap((type, index) =>
      describe(type, actual.elementType, at(path, 'index', index)),
    );
  }
  const last = expected.types.length - 1;
  return actual.types.flatMap((type, index) => {
    const wanted = expected.typeAt(index);
    return wanted === undefined ? [] : describe(wanted, type, at(path, 'index', Math.min(index, last)));
  });
}

function describeCallable(expected: CallableType, { original, actual, path }: Context): readonly Mismatch[] {
  if (!(actual instanceof CallableType)) return [typeMismatch(path, original, actual)];
  if (expected.paramTypes === undefined && expected.returnType === undefined) return [];
  const wanted = expected.paramTypes ?? TupleType.DEFAULT;
  const given = actual.paramTypes ?? TupleType.DEFAULT;
  const parameters = describeTuple(wanted, { original: wanted, actual: given, path }, 'count');
  if (parameters.length > 0) return parameters;
  const [result, givenResult] = [
    expected.returnType ?? AnyType.DEFAULT,
    actual.returnType ?? AnyType.DEFAULT,
  ];
  if (!result.isAssignable(givenResult))
    return [typeMismatch(at(path, 'return', 'return'), result, givenResult)];
  const [block, givenBlock] = [
    expected.blockType ?? UndefType.DEFAULT,
    actual.blockType ?? UndefType.DEFAULT,
  ];
  if (givenBlock.isAssignable(block)) return [];
  return [typeMismatch(at(path, 'block', 'block'), block, givenBlock)];
}

function findUnresolved(type: PuppetType, seen: Set<PuppetType> = new Set()): string | undefined {
  if (type instanceof TypeReferenceType) return type.typeString;
  if (seen.has(type)) return undefined;
  seen.add(type);
  for (const part of typesIn(type)) {
    const found = findUnresolved(part, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

function typesIn(type: PuppetType): readonly PuppetType[] {
  if (!(type instanceof ObjectType)) return type.parts();
  const { attributes, functions, parent, typeParameters } = type.definition;
  const members = [...typeParameters.values(), ...attributes.values(), ...functions.values()];
  return [...(parent === undefined ? [] : [parent]), ...members.map((member) => member.type)];
}
