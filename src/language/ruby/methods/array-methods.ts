import { isArray, type Value } from '../../pcore/index.ts';
import { array, at, isTruthy, small, text } from '../arguments.ts';
import type { Run } from '../run.ts';
import { giveUp, raise } from '../signals.ts';
import { equal } from '../values/comparison.ts';
import { RubyRange } from '../values/ruby-values.ts';
import { toText } from '../values/text.ts';
import { enumerableMethods, size, sorted, unique } from './enumerable-methods.ts';
import { type Method, type MethodTable, maybeBlock, plain, withBlock } from './method.ts';
import { rangeOf } from './positions.ts';

type Items = readonly Value[];

const reading: MethodTable = {
  '[]': plain(1, 2, slice),
  slice: plain(1, 2, slice),
  at: plain(1, 1, (self: Items, [index]) => self.at(small(index)) ?? null),
  dig: plain(1, 1, (self: Items, [index]) => self.at(small(index)) ?? null),
  fetch: plain(
    1,
    2,
    (self: Items, [index, fallback]) =>
      self.at(small(index)) ?? (fallback === undefined ? giveUp('an index out of bounds') : fallback),
  ),
  values_at: plain(0, Infinity, (self: Items, indexes, run) =>
    run.own(indexes.map((index) => self.at(small(index)) ?? null)),
  ),
  last: plain(0, 1, (self: Items, [count], run) =>
    count === undefined ? (self.at(-1) ?? null) : run.own(size(count) === 0 ? [] : self.slice(-size(count))),
  ),
  length: plain(0, 0, (self: Items) => self.length),
  size: plain(0, 0, (self: Items) => self.length),
  'empty?': plain(0, 0, (self: Items) => self.length === 0),
  index: indexing((items, test) => items.findIndex(test)),
  find_index: indexing((items, test) => items.findIndex(test)),
  rindex: indexing((items, test) => items.findLastIndex(test)),
  join: plain(0, 1, (self: Items, [separator = null]) =>
    joined(self, separator === null ? '' : text(separator), 0),
  ),
};

const iterating: MethodTable = {
  each: withBlock(0, 0, (self: Items, block) => {
    for (let index = 0; index < self.length; index += 1) block.yield(at(self, index));
    return self;
  }),
  each_index: withBlock(0, 0, (self: Items, block) => {
    for (let index = 0; index < self.length; index += 1) block.yield(index);
    return self;
  }),
  reverse_each: withBlock(0, 0, (self: Items, block) => {
    for (const item of [...self].reverse()) block.yield(item);
    return self;
  }),
};

const making: MethodTable = {
  '+': plain(1, 1, (self: Items, [other], run) => run.own([...self, ...operand(other)])),
  concat: plain(0, Infinity, (self: Items, others, run) =>
    changed(self, run, (items) => items.push(...others.flatMap(array))),
  ),
  '-': plain(1, 1, (self: Items, [other], run) => run.own(without(self, operand(other)))),
  '&': plain(1, 1, (self: Items, [other], run) => {
    const both = operand(other);
    return run.own(unique(self, undefined).filter((item) => without([item], both).length === 0));
  }),
  '|': plain(1, 1, (self: Items, [other], run) => run.own(unique([...self, ...operand(other)], undefined))),
  '*': plain(1, 1, (self: Items, [times], run) => {
    if (typeof times === 'string') return joined(self, times, 0);
    const count = small(times);
    if (count < 0) return raise('argument must be non-negative');
    return count * self.length > 2 ** 20 ? giveUp('such a long array') : run.own(repeat(self, count));
  }),
  compact: plain(0, 0, (self: Items, _args, run) => run.own(self.filter((item) => item !== null))),
  flatten: plain(0, 1, (self: Items, [depth = null], run) =>
    run.own(flattened(self, depth === null || small(depth) < 0 ? Infinity : small(depth))),
  ),
  reverse: plain(0, 0, (self: Items, _args, run) => run.own([...self].reverse())),
  rotate: plain(0, 1, (self: Items, [by = 1], run) => {
    const shift = self.length === 0 ? 0 : ((small(by) % self.length) + self.length) % self.length;
    return run.own([...self.slice(shift), ...self.slice(0, shift)]);
  }),
  transpose: plain(0, 0, (self: Items, _args, run) => {
    const rows = self.map(array);
    const width = rows[0]?.length ?? 0;
    if (rows.some((row) => row.length !== width)) giveUp('transpose of unequal rows');
    return run.own(Array.from({ length: width }, (_, index) => run.own(rows.map((row) => at(row, index)))));
  }),
  to_a: plain(0, 0, (self) => self),
  to_ary: plain(0, 0, (self) => self),
};

/** Arrays that the template has made, and those of others that are told. */
const changing: MethodTable = {
  '<<': plain(1, 1, (self: Items, args, run) => changed(self, run, (items) => items.push(at(args, 0)))),
  push: plain(0, Infinity, (self: Items, args, run) => changed(self, run, (items) => items.push(...args))),
  append: plain(0, Infinity, (self: Items, args, run) => changed(self, run, (items) => items.push(...args))),
  unshift: plain(0, Infinity, (self: Items, args, run) =>
    changed(self, run, (items) => items.unshift(...args)),
  ),
  pop: plain(0, 0, (self: Items, _args, run) => mine(self, run).pop() ?? null),
  shift: plain(0, 0, (self: Items, _args, run) => mine(self, run).shift() ?? null),
  clear: plain(0, 0, (self: Items, _args, run) => replaced(self, run, [])),
  delete: plain(1, 1, (self: Items, args, run) => {
    const kept = self.filter((item) => !equal(item, at(args, 0)));
    const isFound = kept.length < self.length;
    replaced(self, run, kept);
    return isFound ? at(args, 0) : null;
  }),
  delete_at: plain(1, 1, (self: Items, [index], run) => {
    const position = small(index) < 0 ? small(index) + self.length : small(index);
    if (position < 0 || position >= self.length) return unchanged(self, run);
    return mine(self, run).splice(position, 1)[0] ?? null;
  }),
  '[]=': plain(2, 2, (self: Items, [index, value = null], run) => {
    const position = small(index) < 0 ? small(index) + self.length : small(index);
    if (position < 0 || position > self.length + 1000) giveUp('an index out of bounds');
    const items = mine(self, run);
    while (items.length < position) items.push(null);
    items[position] = value;
    return value;
  }),
  'compact!': plain(0, 0, (self: Items, _args, run) =>
    ifChanged(
      self,
      run,
      self.filter((item) => item !== null),
    ),
  ),
  'uniq!': plain(0, 0, (self: Items, _args, run) => ifChanged(self, run, unique(self, undefined))),
  'flatten!': plain(0, 0, (self: Items, _args, run) =>
    self.some(isArray) ? replaced(self, run, flattened(self, Infinity)) : unchanged(self, run),
  ),
  'sort!': maybeBlock(0, 0, (self: Items, _args, run, block) => replaced(self, run, sorted(self, block))),
  'reverse!': plain(0, 0, (self: Items, _args, run) => replaced(self, run, [...self].reverse())),
  'map!': withBlock(0, 0, (self: Items, block, _args, run) =>
    replaced(
      self,
      run,
      self.map((item) => block.yield(item)),
    ),
  ),
  'collect!': withBlock(0, 0, (self: Items, block, _args, run) =>
    replaced(
      self,
      run,
      self.map((item) => block.yield(item)),
    ),
  ),
  delete_if: withBlock(0, 0, (self: Items, block, _args, run) =>
    replaced(
      self,
      run,
      self.filter((item) => !isTruthy(block.yield(item))),
    ),
  ),
  'reject!': withBlock(0, 0, (self: Items, block, _args, run) =>
    ifChanged(
      self,
      run,
      self.filter((item) => !isTruthy(block.yield(item))),
    ),
  ),
  'select!': withBlock(0, 0, (self: Items, block, _args, run) =>
    ifChanged(
      self,
      run,
      self.filter((item) => isTruthy(block.yield(item))),
    ),
  ),
};

export const arrayMethods: MethodTable = {
  ...enumerableMethods<Items>((self) => self),
  ...reading,
  ...iterating,
  ...making,
  ...changing,
};

function slice(self: Items, args: readonly Value[], run: Run): Value {
  if (args.length === 1 && !(at(args, 0) instanceof RubyRange)) return self.at(small(at(args, 0))) ?? null;
  const range = rangeOf(args, self.length);
  return range === undefined ? null : run.own(self.slice(range.start, range.start + range.length));
}

function indexing(find: (items: Items, test: (item: Value) => boolean) => number): Method {
  return maybeBlock(0, 1, (self: Items, args, _run, block) => {
    if (args.length === 0 && block === undefined) return giveUp('index without anything');
    const test = (item: Value) =>
      args.length > 0 || block === undefined ? equal(item, at(args, 0)) : isTruthy(block.yield(item));
    const found = find(self, test);
    return found === -1 ? null : found;
  });
}

/** The right side of an operator. */
function operand(value: Value | undefined): Items {
  return value === null ? raise('no implicit conversion of nil into Array') : array(value);
}

function joined(items: Items, separator: string, depth: number): string {
  if (depth > 50) giveUp('a deep array');
  let out = '';
  for (let index = 0; index < items.length; index += 1) {
    const item = at(items, index);
    if (index > 0) out += separator;
    out += isArray(item) ? joined(item, separator, depth + 1) : toText(item);
  }
  return out;
}

function without(items: Items, others: Items): Value[] {
  const known = new Set(unique(others, undefined));
  if (others.every((item) => typeof item === 'string') && items.every((item) => typeof item === 'string'))
    return items.filter((item) => !known.has(item));
  return items.filter((item) => unique([...known, item], undefined).length > known.size);
}

function repeat(items: Items, count: number): Value[] {
  return Array.from({ length: count }, () => items).flat();
}

function flattened(items: Items, depth: number): Value[] {
  return items.flatMap((item) => (isArray(item) && depth > 0 ? flattened(item, depth - 1) : [item]));
}

function mine(items: Items, run: Run): Value[] {
  if (run.owns(items)) return items;
  run.assertChangeable(items);
  run.effects.beforeChange(items, run.context);
  // It is put back when the code has ended.
  return items as Value[];
}

function changed(items: Items, run: Run, change: (items: Value[]) => void): Value {
  change(mine(items, run));
  return items;
}

function replaced(items: Items, run: Run, by: readonly Value[]): Value {
  return changed(items, run, (own) => own.splice(0, own.length, ...by));
}

function unchanged(items: Items, run: Run): Value {
  mine(items, run);
  return null;
}

/** What methods with `!` answer: nil when there was nothing to do. */
function ifChanged(items: Items, run: Run, by: readonly Value[]): Value {
  return by.length === items.length ? unchanged(items, run) : replaced(items, run, by);
}
