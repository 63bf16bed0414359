/** `Enumerable`: what arrays, hashes (as pairs) and ranges share. */

import { Float, isArray, type Value } from '../../pcore/index.ts';
import { at, isNumber, isTruthy, small } from '../arguments.ts';
import type { Run } from '../run.ts';
import { giveUp, raise } from '../signals.ts';
import { equal, isCase, order } from '../values/comparison.ts';
import {
  type Block,
  RubyEnumerator,
  RubyHash,
  RubyMatch,
  RubySymbol,
  UNUSABLE,
} from '../values/ruby-values.ts';
import { callMethod } from './call-method.ts';
import { iterating, type Method, type MethodTable, maybeBlock, plain, withBlock } from './method.ts';

/** The items as the collection gives them. */
export type ItemsOf<Self extends Value> = (self: Self, run: Run) => readonly Value[];

export function enumerableMethods<Self extends Value>(itemsOf: ItemsOf<Self>): MethodTable {
  return {
    ...walking(itemsOf),
    ...transforming(itemsOf),
    ...selecting(itemsOf),
    ...folding(itemsOf),
    ...ordering(itemsOf),
  };
}

type OverItems = (items: readonly Value[], args: readonly Value[], run: Run) => Value;
type OverItemsWithBlock = (items: readonly Value[], block: Block, run: Run, args: readonly Value[]) => Value;

/** Turns functions of the items into methods. */
function shapes<Self extends Value>(itemsOf: ItemsOf<Self>) {
  return {
    items: (min: number, max: number, call: OverItems) =>
      plain<Self>(min, max, (self, args, run) => call(itemsOf(self, run), args, run)),
    blocks: (call: OverItemsWithBlock, max = 0) =>
      withBlock<Self>(0, max, (self, block, args, run) => call(itemsOf(self, run), block, run, args)),
  };
}

/** Methods that give each item, alone or with others, to a block. */
function walking<Self extends Value>(itemsOf: ItemsOf<Self>): MethodTable {
  const { blocks } = shapes(itemsOf);
  return {
    each_with_index: maybeBlock<Self>(0, 0, (self, _args, run, block) => {
      const all = itemsOf(self, run);
      if (block === undefined)
        return new RubyEnumerator(
          all.map((item, index) => run.own([item, index])),
          'each_with_index',
        );
      for (let index = 0; index < all.length; index += 1) block.yieldAll([at(all, index), index]);
      return self;
    }),
    each_with_object: blocks((all, block, _run, [memo = null]) => {
      for (const item of all) block.yieldAll([item, memo]);
      return memo;
    }, 1),
    each_slice: iterating<Self>(
      'each_slice',
      1,
      (self, [length], run) => slices(itemsOf(self, run), small(length), run),
      eachItem,
    ),
    each_cons: iterating<Self>(
      'each_cons',
      1,
      (self, [length], run) => windows(itemsOf(self, run), small(length), run),
      eachItem,
    ),
  };
}

/** New collections of all items. */
function transforming<Self extends Value>(itemsOf: ItemsOf<Self>): MethodTable {
  const { blocks, items } = shapes(itemsOf);
  const all = (self: Self, _args: readonly Value[], run: Run) => itemsOf(self, run);
  const map = iterating<Self>('map', 0, all, (found, block, _self, run) =>
    run.own(found.map((item) => block.yield(item))),
  );
  const toArray = items(0, 0, (all, _args, run) => run.own([...all]));
  return {
    map,
    collect: map,
    flat_map: blocks((all, block, run) =>
      run.own(all.flatMap((item) => block.yield(item) as Value | Value[])),
    ),
    filter_map: blocks((all, block, run) => run.own(all.map((item) => block.yield(item)).filter(isTruthy))),
    partition: blocks((all, block, run) => {
      const [yes, no]: [Value[], Value[]] = [[], []];
      for (const item of all) (isTruthy(block.yield(item)) ? yes : no).push(item);
      return run.own([run.own(yes), run.own(no)]);
    }),
    group_by: blocks((all, block, run) => grouped(all, block, run)),
    zip: items(0, Infinity, (all, args, run) => {
      const others = args.map((other) => (isArray(other) ? other : giveUp('zip with something else')));
      return run.own(all.map((item, index) => run.own([item, ...others.map((other) => at(other, index))])));
    }),
    to_a: toArray,
    entries: toArray,
    to_h: maybeBlock<Self>(0, 0, (self, _args, run, block) => {
      const hash = new RubyHash();
      for (const item of itemsOf(self, run)) {
        const pair = block === undefined ? item : block.yield(item);
        if (!isArray(pair) || pair.length !== 2) return giveUp('to_h of values that are no pairs');
        hash.set(at(pair, 0), at(pair, 1));
      }
      return hash;
    }),
  };
}

/** Some of the items. */
function selecting<Self extends Value>(itemsOf: ItemsOf<Self>): MethodTable {
  const { blocks, items } = shapes(itemsOf);
  const select = blocks((all, block, run) => run.own(all.filter((item) => isTruthy(block.yield(item)))));
  const find = blocks((all, block) => all.find((item) => isTruthy(block.yield(item))) ?? null);
  return {
    select,
    filter: select,
    reject: blocks((all, block, run) => run.own(all.filter((item) => !isTruthy(block.yield(item))))),
    find,
    detect: find,
    first: items(0, 1, (all, [count], run) =>
      count === undefined ? at(all, 0) : run.own(all.slice(0, size(count))),
    ),
    take: items(1, 1, (all, [count], run) => run.own(all.slice(0, size(count)))),
    drop: items(1, 1, (all, [count], run) => run.own(all.slice(size(count)))),
    take_while: blocks((all, block, run) => {
      const end = all.findIndex((item) => !isTruthy(block.yield(item)));
      return run.own(end === -1 ? [...all] : all.slice(0, end));
    }),
    drop_while: blocks((all, block, run) => {
      const end = all.findIndex((item) => !isTruthy(block.yield(item)));
      return run.own(end === -1 ? [] : all.slice(end));
    }),
    grep: maybeBlock<Self>(1, 1, (self, args, run, block) => {
      const found = itemsOf(self, run).filter((item) => matchesCase(at(args, 0), item, run));
      return run.own(block === undefined ? found : giveUp('grep with a block'));
    }),
    grep_v: items(1, 1, (all, args, run) =>
      run.own(all.filter((item) => !matchesCase(at(args, 0), item, run))),
    ),
    uniq: maybeBlock<Self>(0, 0, (self, _args, run, block) => run.own(unique(itemsOf(self, run), block))),
  };
}

/** One value of all items. */
function folding<Self extends Value>(itemsOf: ItemsOf<Self>): MethodTable {
  const { items } = shapes(itemsOf);
  const reduce = reducing(itemsOf);
  const isIncluded = items(1, 1, (all, args) => all.some((item) => equal(item, at(args, 0))));
  return {
    inject: reduce,
    reduce,
    sum: maybeBlock<Self>(0, 1, (self, [start = 0], run, block) => {
      const all = itemsOf(self, run).map((item) => (block === undefined ? item : block.yield(item)));
      if (all.some((item) => item instanceof Float)) giveUp('a sum of floats');
      return all.reduce((sum, item) => callMethod(sum, '+', [item], run), start);
    }),
    count: maybeBlock<Self>(0, 1, (self, args, run, block) => {
      const all = itemsOf(self, run);
      if (args.length > 0) return all.filter((item) => equal(item, at(args, 0))).length;
      return block === undefined ? all.length : all.filter((item) => isTruthy(block.yield(item))).length;
    }),
    'any?': quantifier(itemsOf, (all, test) => all.some(test)),
    'all?': quantifier(itemsOf, (all, test) => all.every(test)),
    'none?': quantifier(itemsOf, (all, test) => !all.some(test)),
    'include?': isIncluded,
    'member?': isIncluded,
  };
}

/** By `<=>`. */
function ordering<Self extends Value>(itemsOf: ItemsOf<Self>): MethodTable {
  const { blocks, items } = shapes(itemsOf);
  return {
    sort: maybeBlock<Self>(0, 0, (self, _args, run, block) => run.own(sorted(itemsOf(self, run), block))),
    sort_by: blocks((all, block, run) => {
      const keyed = all.map((item) => ({ item, key: block.yield(item) }));
      if (keyed.length > 1) keyed.sort((a, b) => order(a.key, b.key));
      return run.own(keyed.map(({ item }) => item));
    }),
    min: items(0, 0, (all) => extreme(all, all, -1)),
    max: items(0, 0, (all) => extreme(all, all, 1)),
    min_by: blocks((all, block) =>
      extreme(
        all,
        all.map((item) => block.yield(item)),
        -1,
      ),
    ),
    max_by: blocks((all, block) =>
      extreme(
        all,
        all.map((item) => block.yield(item)),
        1,
      ),
    ),
  };
}

function eachItem(items: readonly Value[], block: Block): Value {
  for (const item of items) block.yield(item);
  return UNUSABLE;
}

function slices(items: readonly Value[], length: number, run: Run): readonly Value[] {
  if (length <= 0) raise('invalid slice size');
  const count = Math.ceil(items.length / length);
  return Array.from({ length: count }, (_, index) =>
    run.own(items.slice(index * length, (index + 1) * length)),
  );
}

function windows(items: readonly Value[], length: number, run: Run): readonly Value[] {
  if (length <= 0) raise('invalid size');
  const count = Math.max(0, items.length - length + 1);
  return Array.from({ length: count }, (_, index) => run.own(items.slice(index, index + length)));
}

function reducing<Self extends Value>(itemsOf: ItemsOf<Self>): Method {
  return maybeBlock<Self>(0, 2, (self, args, run, block) => {
    const all = itemsOf(self, run);
    const name = block === undefined ? args.at(-1) : undefined;
    const symbol = name instanceof RubySymbol ? name.name : name;
    if (block === undefined && typeof symbol !== 'string') return giveUp('inject');
    const initial = block === undefined ? args.slice(0, -1) : args;
    if (initial.length > 1) return giveUp('inject');
    const queue = [...initial, ...all];
    if (queue.length === 0) return null;
    return queue.reduce((memo, item) =>
      block === undefined ? callMethod(memo, String(symbol), [item], run) : block.yieldAll([memo, item]),
    );
  });
}

function quantifier<Self extends Value>(
  itemsOf: ItemsOf<Self>,
  decide: (items: readonly Value[], test: (item: Value) => boolean) => boolean,
): Method {
  return maybeBlock<Self>(0, 1, (self, args, run, block) => {
    const all = itemsOf(self, run);
    if (args.length > 0) return decide(all, (item) => matchesCase(at(args, 0), item, run));
    return decide(all, (item) => isTruthy(block === undefined ? item : block.yield(item)));
  });
}

function matchesCase(pattern: Value, item: Value, run: Run): boolean {
  return isCase(pattern, item, (found) => {
    run.match = found === null ? null : new RubyMatch(found);
  });
}

function grouped(all: readonly Value[], block: Block, run: Run): RubyHash {
  const groups = new RubyHash();
  for (const item of all) {
    const key = block.yield(item);
    const known = groups.get(key);
    if (known !== undefined && isArray(known) && run.owns(known)) known.push(item);
    else groups.set(key, run.own([item]));
  }
  return groups;
}

export function sorted(all: readonly Value[], block: Block | undefined): Value[] {
  if (all.length < 2) return [...all];
  if (block === undefined) return [...all].sort(order);
  return [...all].sort((a, b) => {
    const answer = block.yieldAll([a, b]);
    return isNumber(answer) && !(answer instanceof Float)
      ? Number(answer)
      : giveUp('a comparison by such a block');
  });
}

function extreme(all: readonly Value[], keys: readonly Value[], sign: number): Value {
  let best = 0;
  for (let index = 1; index < all.length; index += 1)
    if (order(at(keys, index), at(keys, best)) * sign > 0) best = index;
  return at(all, best);
}

/** By `eql?`: hashes know that. */
export function unique(all: readonly Value[], block: Block | undefined): Value[] {
  const seen = new RubyHash();
  return all.filter((item) => {
    const key = block === undefined ? item : block.yield(item);
    if (seen.has(key)) return false;
    seen.set(key, true);
    return true;
  });
}

export function size(value: Value | undefined): number {
  const count = small(value);
  return count < 0 ? raise('attempt to take negative size') : count;
}
