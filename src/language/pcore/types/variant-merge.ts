/** How a Variant becomes simpler: types of one kind that can be said as one are. */

import type { PuppetType } from '../puppet-type.ts';
import { EnumType } from './enum-type.ts';
import { mergeRanges } from './merge-ranges.ts';
import { FloatType, IntegerType } from './number-types.ts';
import { NotUndefType } from './optional-types.ts';
import { PatternType } from './pattern-type.ts';
import { SemVerType } from './semver-types.ts';
import { StringType } from './string-type.ts';
import { TimespanType, TimestampType } from './time-types.ts';

export function uniqueTypes(types: readonly PuppetType[]): readonly PuppetType[] {
  if (types.length < 2) return types;
  const seen = new Map<string, PuppetType>();
  for (const type of types) {
    const key = type.equalityKey();
    if (!seen.has(key)) seen.set(key, type);
  }
  return [...seen.values()];
}

/** One level: a variant among `types` is replaced by its members. */
export function flattenVariants(types: readonly PuppetType[]): readonly PuppetType[] {
  return types.some((type) => type.kind === 'Variant')
    ? types.flatMap((type) => (type.kind === 'Variant' ? type.parts() : [type]))
    : types;
}

type Combine = (types: readonly PuppetType[]) => PuppetType;

/** `types` with everything merged that can be; `combine` makes a variant. The order is the reference's. */
export function mergeVariantTypes(types: readonly PuppetType[], combine: Combine): readonly PuppetType[] {
  let merged = flattenVariants(types);
  merged = gather(merged, isNotUndef, (found) => [
    new NotUndefType(
      combine(found.flatMap((type) => (type.type === undefined ? [] : [type.type]))),
    ).normalize(),
  ]);
  merged = gather(merged, isLiteral, (found) => [new EnumType(found.flatMap(literalsOf))]);
  merged = gather(merged, isCaseInsensitiveEnum, (found) => [
    new EnumType(
      found.flatMap((type) => type.values.map((value) => value.toLowerCase())),
      true,
    ),
  ]);
  merged = gather(merged, isPattern, (found) => [new PatternType(found.flatMap((type) => type.patterns))]);
  merged = gather(merged, isSemVer, (found) => [new SemVerType(found.flatMap((type) => type.ranges))], true);
  merged = gather(merged, (type) => type instanceof IntegerType, mergeRanges, true);
  merged = gather(merged, (type) => type instanceof FloatType, mergeRanges, true);
  merged = gather(merged, (type) => type instanceof TimespanType, mergeRanges, true);
  return gather(merged, (type) => type instanceof TimestampType, mergeRanges, true);
}

function gather<T extends PuppetType>(
  types: readonly PuppetType[],
  isWanted: (type: PuppetType) => type is T,
  merge: (found: readonly T[]) => readonly PuppetType[],
  isFirst = false,
): readonly PuppetType[] {
  const found = types.filter(isWanted);
  if (found.length < 2) return types;
  const others = types.filter((type) => !isWanted(type));
  return isFirst ? [...merge(found), ...others] : [...others, ...merge(found)];
}

function isNotUndef(type: PuppetType): type is NotUndefType {
  return type instanceof NotUndefType;
}
function isLiteral(type: PuppetType): type is EnumType | StringType {
  if (type instanceof StringType) return type.value !== undefined;
  return type instanceof EnumType && type.values.length > 0 && !type.isCaseInsensitive;
}
function literalsOf(type: EnumType | StringType): readonly string[] {
  return type instanceof EnumType ? type.values : [type.value ?? ''];
}
function isCaseInsensitiveEnum(type: PuppetType): type is EnumType {
  return type instanceof EnumType && type.values.length > 0 && type.isCaseInsensitive;
}
function isPattern(type: PuppetType): type is PatternType {
  return type instanceof PatternType;
}
function isSemVer(type: PuppetType): type is SemVerType {
  return type instanceof SemVerType;
}
