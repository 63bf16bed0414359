/** Deep merges: the rules of the Ruby library deep_merge, with "preserve unmergeables" always off. */

import { compareCodePoints } from '../../lib/code-point-order.ts';
import { Float, isArray, isInteger, keyOf, PuppetHash, rubyClassName, type Value } from '../pcore/index.ts';
import { LookupArgumentError } from './lookup-error.ts';
import { unique } from './unique.ts';

export interface DeepMergeOptions {
  /** Elements that begin with it remove what follows it from what they are merged into. */
  readonly knockoutPrefix: string | undefined;
  readonly sortMergedArrays: boolean;
  /** Merges hashes in arrays by their position. */
  readonly mergeHashArrays: boolean;
  readonly overwriteArrays: boolean;
  readonly extendExistingArrays: boolean;
}

/** Merges `source` over `destination`; neither is changed. */
export function deepMerge(source: Value, destination: Value, options: DeepMergeOptions): Value {
  if (options.knockoutPrefix === '') {
    throw new LookupArgumentError('knockout_prefix cannot be an empty string in deep_merge!');
  }
  if (source === null) return destination;
  if (destination === null || destination === false) return source;
  if (source instanceof PuppetHash) return mergeHash(source, destination, options);
  if (isArray(source)) return mergeArray(source, destination, options);
  if (isArray(destination) && options.extendExistingArrays) return [...destination, source];
  return overwrite(source, options);
}

function mergeHash(source: PuppetHash, destination: Value, options: DeepMergeOptions): Value {
  if (!(destination instanceof PuppetHash)) {
    if (source.size === 0) return destination;
    if (isArray(destination) && options.extendExistingArrays) {
      // Once for each key of the source, as the library does.
      return [...destination, ...Array.from(source, () => source)];
    }
    return overwriteAndMerge(source, options);
  }
  const merged = new PuppetHash(destination);
  for (const [key, value] of source) {
    const present = merged.get(key) ?? null;
    // A missing value is merged with a copy of itself: prefixes take effect inside it.
    const into = present === null || present === false ? value : present;
    merged.set(key, deepMerge(value, into, options));
  }
  return merged;
}

/** The first key replaces a value that is no hash by the source, the others are merged into it. */
function overwriteAndMerge(source: PuppetHash, options: DeepMergeOptions): Value {
  const replaced = overwrite(source, options);
  if (!(replaced instanceof PuppetHash)) return replaced;
  const merged = new PuppetHash(replaced);
  let isFirst = true;
  for (const [key, value] of source) {
    if (!isFirst) merged.set(key, deepMerge(value, merged.get(key) ?? value, options));
    isFirst = false;
  }
  return merged;
}

function mergeArray(source: readonly Value[], destination: Value, options: DeepMergeOptions): Value {
  if (options.overwriteArrays) return source;
  const { knockoutPrefix: prefix } = options;
  let incoming = source;
  let existing = destination;
  if (prefix !== undefined && source.includes(prefix)) {
    existing = isArray(existing)
      ? []
      : existing instanceof PuppetHash
        ? new PuppetHash()
        : existing === null
          ? null
          : '';
    incoming = source.filter((item) => item !== prefix);
  }
  if (!isArray(existing)) return overwrite(incoming, options);
  if (prefix !== undefined) [incoming, existing] = knockOut(incoming, existing, prefix);
  const merged = isArray(existing) ? joined(incoming, existing, options) : incoming;
  return options.sortMergedArrays ? merged.toSorted(compareForSort) : merged;
}

function knockOut(
  source: readonly Value[],
  destination: readonly Value[],
  prefix: string,
): [readonly Value[], readonly Value[]] {
  const removed = new Set<string>();
  const kept = source.filter((item) => {
    if (typeof item !== 'string' || !item.startsWith(prefix)) return true;
    removed.add(item.slice(prefix.length));
    removed.add(item);
    return false;
  });
  return [kept, destination.filter((item) => typeof item !== 'string' || !removed.has(item))];
}

function joined(
  source: readonly Value[],
  destination: readonly Value[],
  options: DeepMergeOptions,
): readonly Value[] {
  const areHashes = [...source, ...destination].every((item) => item instanceof PuppetHash);
  if (!options.mergeHashArrays || !areHashes) return unique([...destination, ...source]);
  const merged = destination.map((item, index) =>
    deepMerge(source[index] ?? new PuppetHash(), item, options),
  );
  return [...merged, ...source.slice(destination.length)];
}

/** What takes the place of something it cannot be merged with. */
function overwrite(source: Value, { knockoutPrefix: prefix }: DeepMergeOptions): Value {
  if (prefix === undefined) return source;
  if (typeof source === 'string') return source.startsWith(prefix) ? '' : source;
  if (isArray(source)) return source.filter((item) => typeof item !== 'string' || !item.startsWith(prefix));
  return source;
}

/** Ruby's `<=>` as `sort` uses it. @throws LookupArgumentError for values that have no order */
function compareForSort(left: Value, right: Value): number {
  if (typeof left === 'string' && typeof right === 'string') return compareCodePoints(left, right);
  const [leftNumber, rightNumber] = [numberOf(left), numberOf(right)];
  if (leftNumber !== undefined && rightNumber !== undefined) return leftNumber - rightNumber;
  if (isArray(left) && isArray(right)) return compareLists(left, right);
  if (keyOf(left) === keyOf(right)) return 0;
  throw new LookupArgumentError(`comparison of ${rubyClassName(right)} with ${describe(left)} failed`);
}

function compareLists(left: readonly Value[], right: readonly Value[]): number {
  for (const [index, item] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareForSort(item, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function numberOf(value: Value): number | undefined {
  if (isInteger(value)) return Number(value);
  return value instanceof Float ? value.value : undefined;
}

function describe(value: Value): string {
  return isInteger(value) || value === null || typeof value === 'boolean'
    ? String(value ?? 'nil')
    : rubyClassName(value);
}
