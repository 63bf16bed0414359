/** `Array`, as far as the definitions of types use it. */

import type { Call, ValueMethod } from './calls.ts';
import { Unmodelled } from './unmodelled.ts';
import { equals, isTruthy, RubyHash, textOf, Unknown, type Value } from './values.ts';

export const arrayMethods: Readonly<Record<string, ValueMethod<Value[]>>> = {
  each: (array, { block, interpreter }) =>
    block === undefined ? undefined : interpreter.iterate(single(array), block, array),
  each_with_index: (array, { block, interpreter }) =>
    block === undefined
      ? undefined
      : interpreter.iterate(
          array.map((item, index) => [item, index]),
          block,
          array,
        ),
  map: mapArray,
  collect: mapArray,
  flat_map: (array, call) => mapArray(array, call)?.flat(1),
  select: (array, { block, interpreter }) =>
    block === undefined ? undefined : array.filter((item) => isTruthy(interpreter.callProc(block, [item]))),
  reject: (array, { block, interpreter }) =>
    block === undefined ? undefined : array.filter((item) => !isTruthy(interpreter.callProc(block, [item]))),
  find: findItem,
  detect: findItem,
  'any?': (array, { block, interpreter }) =>
    block === undefined ? undefined : array.some((item) => isTruthy(interpreter.callProc(block, [item]))),
  'all?': (array, { block, interpreter }) =>
    block === undefined ? undefined : array.every((item) => isTruthy(interpreter.callProc(block, [item]))),
  inject: injectArray,
  reduce: injectArray,
  to_h: toHash,
  to_a: (array) => array,
  dup: (array) => [...array],
  freeze: (array) => array,
  flatten: (array, { args }) => (args.length === 0 ? flatten(array) : undefined),
  compact: (array) => array.filter((item) => item !== null),
  uniq: (array) => unique(array),
  reverse: (array) => array.toReversed(),
  sort: (array) => sortTexts(array),
  first: (array, { args }) => (args.length === 0 ? (array[0] ?? null) : undefined),
  last: (array, { args }) => (args.length === 0 ? (array.at(-1) ?? null) : undefined),
  length: (array) => array.length,
  size: (array) => array.length,
  count: (array, { args, block }) => (args.length === 0 && block === undefined ? array.length : undefined),
  'empty?': (array) => array.length === 0,
  'include?': (array, { args: [wanted = null] }) =>
    wanted instanceof Unknown ? wanted : array.some((item) => equals(item, wanted)),
  join: (array, { args: [separator = ''] }) => array.map(textOf).join(textOf(separator)),
  zip: (array, { args: [other] }) =>
    Array.isArray(other) ? array.map((item, index) => [item, other[index] ?? null]) : undefined,
  '[]': (array, { args: [index, more] }) =>
    typeof index === 'number' && more === undefined ? (array.at(index) ?? null) : undefined,
  '<<': (array, { args }) => append(array, args),
  push: (array, { args }) => append(array, args),
  append: (array, { args }) => append(array, args),
  concat: (array, { args }) => append(array, args.flatMap(requireArray)),
  unshift: (array, { args }) => {
    array.unshift(...args);
    return array;
  },
  '+': (array, { args }) => [...array, ...requireArray(args[0] ?? null)],
  '-': (array, { args }) => {
    const taken = requireArray(args[0] ?? null);
    return array.filter((item) => !taken.some((other) => equals(item, other)));
  },
  '|': (array, { args }) => unique([...array, ...requireArray(args[0] ?? null)]),
};

function single(array: readonly Value[]): Value[][] {
  return array.map((item) => [item]);
}

function mapArray(array: Value[], { block, interpreter }: Call): Value[] | undefined {
  return block === undefined ? undefined : array.map((item) => interpreter.callProc(block, [item]));
}

function findItem(array: Value[], { block, interpreter }: Call): Value | undefined {
  if (block === undefined) return undefined;
  return array.find((item) => isTruthy(interpreter.callProc(block, [item]))) ?? null;
}

function injectArray(array: Value[], { args, block, interpreter }: Call): Value | undefined {
  if (block === undefined || args.length > 1) return undefined;
  const [first, ...rest] = args.length === 1 ? [args[0] ?? null, ...array] : array;
  return rest.reduce<Value>((memo, item) => interpreter.callProc(block, [memo, item]), first ?? null);
}

function toHash(array: Value[], { block, interpreter }: Call): RubyHash {
  const hash = new RubyHash();
  for (const item of array) {
    const pair = requireArray(block === undefined ? item : interpreter.callProc(block, [item]));
    hash.set(pair[0] ?? null, pair[1] ?? null);
  }
  return hash;
}

function append(array: Value[], values: readonly Value[]): Value[] {
  array.push(...values);
  return array;
}

function unique(array: readonly Value[]): Value[] {
  const result: Value[] = [];
  for (const item of array) if (!result.some((known) => equals(known, item))) result.push(item);
  return result;
}

function sortTexts(array: readonly Value[]): Value[] {
  const texts = array.map((item) => {
    if (typeof item !== 'string' && typeof item !== 'symbol')
      throw new Unmodelled('sorting other than names');
    return [textOf(item), item] as const;
  });
  return texts.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}

function requireArray(value: Value): Value[] {
  if (Array.isArray(value)) return value;
  throw new Unmodelled('an array that is not known');
}

function flatten(array: readonly Value[]): Value[] {
  return array.flatMap((item) => (Array.isArray(item) ? flatten(item) : [item]));
}
