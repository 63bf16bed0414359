/** How values found in several places become one. */

import {
  assertInstance,
  isArray,
  PuppetHash,
  type PuppetType,
  parseType,
  plainText,
  type Value,
} from '../pcore/index.ts';
import { type DeepMergeOptions, deepMerge } from './deep-merge.ts';
import { LookupArgumentError } from './lookup-error.ts';
import type { Trace } from './trace.ts';
import { unique } from './unique.ts';

export interface MergeStrategy {
  /** The reference's name for it. */
  readonly name: string;
  /** Options other than the strategy; absent when there are none. */
  readonly options: PuppetHash | undefined;
  /** What a value becomes that is found first of several. */
  readonly first: (value: Value) => Value;
  /** What a value becomes when only one place was searched. */
  readonly single: (value: Value) => Value;
  /** Absent: the first value found is the answer. */
  readonly merge?: (higher: Value, lower: Value) => Value;
}

const same = (value: Value): Value => value;

export const DEFAULT_STRATEGY: MergeStrategy = firstFound('default');
export const HASH_STRATEGY: MergeStrategy = {
  name: 'hash',
  options: undefined,
  first: same,
  single: same,
  merge: checked(
    () => parseType('Hash[String,Data]'),
    (higher, lower) => {
      const merged = new PuppetHash(asHash(lower));
      for (const [key, value] of asHash(higher)) merged.set(key, value);
      return merged;
    },
  ),
};
const UNIQUE_STRATEGY: MergeStrategy = {
  name: 'unique',
  options: undefined,
  first: toList,
  single: (value) => (isArray(value) ? unique(value) : value),
  merge: checked(
    () => parseType('Variant[Scalar,Array[Data]]'),
    (higher, lower) => unique([...toList(higher), ...toList(lower)]),
  ),
};

const BUILDERS: ReadonlyMap<string, (options: PuppetHash | undefined) => MergeStrategy> = new Map([
  ['first', (options) => withSimpleOptions(firstFound('first'), options)],
  ['default', (options) => withSimpleOptions(DEFAULT_STRATEGY, options)],
  ['hash', (options) => withSimpleOptions(HASH_STRATEGY, options)],
  ['unique', (options) => withSimpleOptions(UNIQUE_STRATEGY, options)],
  ['deep', (options) => deep('deep', checkedDeepOptions('deep', options))],
  // Without options the reference takes it for `deep`.
  [
    'unconstrained_deep',
    (options) => deep(options === undefined ? 'deep' : 'unconstrained_deep', anyOptions(options)),
  ],
  ['reverse_deep', (options) => deep('reverse_deep', anyOptions(options))],
]);

/**
 * The strategy that a `merge` argument or lookup option asks for.
 *
 * @throws LookupArgumentError for an unknown one
 */
export function mergeStrategy(merge: Value | undefined): MergeStrategy {
  if (merge === undefined || merge === null || merge === false) return DEFAULT_STRATEGY;
  if (!(merge instanceof PuppetHash)) return strategyNamed(merge, undefined);
  const name = merge.get('strategy') ?? null;
  if (name === null) {
    throw new LookupArgumentError(
      "The hash given as 'merge' must contain the name of a strategy in string form for the key 'strategy'",
    );
  }
  return strategyNamed(name, merge.size === 1 ? undefined : merge);
}

function strategyNamed(name: Value, options: PuppetHash | undefined): MergeStrategy {
  const build = typeof name === 'string' ? BUILDERS.get(name) : undefined;
  if (build === undefined) throw new LookupArgumentError(`Unknown merge strategy: '${plainText(name)}'`);
  return build(options);
}

/**
 * Searches variants in turn and merges what is found.
 *
 * @param find - gives `undefined` where nothing is found
 * @returns `undefined` when nothing is found anywhere
 */
export function lookupMerged<T>(
  strategy: MergeStrategy,
  variants: readonly T[],
  trace: Trace | undefined,
  find: (variant: T) => Value | undefined,
): Value | undefined {
  const { merge } = strategy;
  if (merge === undefined) return firstOf(variants, find);
  if (variants.length < 2) {
    const value = firstOf(variants, find);
    return value === undefined ? undefined : strategy.single(value);
  }
  const search = (): Value | undefined => mergeAll(strategy, merge, variants, find);
  if (trace === undefined) return search();
  return trace.within({ kind: 'merge', strategy: strategy.name, options: strategy.options }, () => {
    const result = search();
    if (result !== undefined) trace.result(result);
    return result;
  });
}

function mergeAll<T>(
  strategy: MergeStrategy,
  merge: (higher: Value, lower: Value) => Value,
  variants: readonly T[],
  find: (variant: T) => Value | undefined,
): Value | undefined {
  let result: Value | undefined;
  for (const variant of variants) {
    const value = find(variant);
    if (value === undefined) continue;
    result = result === undefined ? strategy.first(value) : merge(result, value);
  }
  return result;
}

function firstOf<T>(variants: readonly T[], find: (variant: T) => Value | undefined): Value | undefined {
  for (const variant of variants) {
    const value = find(variant);
    if (value !== undefined) return value;
  }
  return undefined;
}

function firstFound(name: string): MergeStrategy {
  return { name, options: undefined, first: same, single: same };
}

function deep(name: string, options: PuppetHash | undefined): MergeStrategy {
  const settings = deepOptions(options);
  const isReversed = name === 'reverse_deep';
  return {
    name,
    options: withoutStrategy(options),
    first: same,
    single: same,
    merge: (higher, lower) =>
      isReversed ? deepMerge(lower, higher, settings) : deepMerge(higher, lower, settings),
  };
}

function deepOptions(options: PuppetHash | undefined): DeepMergeOptions {
  const prefix = options?.get('knockout_prefix') ?? null;
  return {
    knockoutPrefix: typeof prefix === 'string' ? prefix : undefined,
    sortMergedArrays: isTrue(options?.get('sort_merged_arrays')),
    mergeHashArrays: isTrue(options?.get('merge_hash_arrays')),
    overwriteArrays: isTrue(options?.get('overwrite_arrays')),
    extendExistingArrays: isTrue(options?.get('extend_existing_arrays')),
  };
}

function isTrue(value: Value | undefined): boolean {
  return value !== undefined && value !== null && value !== false;
}

function withSimpleOptions(strategy: MergeStrategy, options: PuppetHash | undefined): MergeStrategy {
  if (options === undefined) return strategy;
  assertOptions(`Struct[{strategy=>Optional[Pattern[/${strategy.name}/]]}]`, options);
  return { ...strategy, options: withoutStrategy(options) };
}

function checkedDeepOptions(name: string, options: PuppetHash | undefined): PuppetHash | undefined {
  if (options !== undefined) {
    assertOptions(
      `Struct[{strategy=>Optional[Pattern[${name}]],knockout_prefix=>Optional[String],merge_debug=>Optional[Boolean],merge_hash_arrays=>Optional[Boolean],sort_merged_arrays=>Optional[Boolean],}]`.replace(
        `Pattern[${name}]`,
        `Pattern['${name}']`,
      ),
      options,
    );
  }
  return options;
}

function anyOptions(options: PuppetHash | undefined): PuppetHash | undefined {
  if (options !== undefined) assertOptions('Hash[String[1],Any]', options);
  return options;
}

function assertOptions(type: string, options: PuppetHash): void {
  assertInstance('The merge options', parseType(type), options);
}

function withoutStrategy(options: PuppetHash | undefined): PuppetHash | undefined {
  if (options === undefined) return undefined;
  const others = new PuppetHash([...options].filter(([key]) => key !== 'strategy'));
  return others.size === 0 ? undefined : others;
}

function checked(
  type: () => PuppetType,
  merge: (higher: Value, lower: Value) => Value,
): (higher: Value, lower: Value) => Value {
  return (higher, lower) => {
    const expected = type();
    assertInstance('The first element of the merge', expected, higher);
    assertInstance('The second element of the merge', expected, lower);
    return merge(higher, lower);
  };
}

function asHash(value: Value): PuppetHash {
  return value instanceof PuppetHash ? value : new PuppetHash();
}

function toList(value: Value): readonly Value[] {
  return isArray(value) ? flatten(value) : [value];
}

function flatten(list: readonly Value[]): readonly Value[] {
  return list.flatMap((item) => (isArray(item) ? flatten(item) : [item]));
}
