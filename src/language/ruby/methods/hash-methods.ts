import { isArray, PuppetHash, type Value } from '../../pcore/index.ts';
import { at, hash, isTruthy } from '../arguments.ts';
import type { Run } from '../run.ts';
import { giveUp } from '../signals.ts';
import { equal } from '../values/comparison.ts';
import { type Block, RubyHash } from '../values/ruby-values.ts';
import { inspectValue } from '../values/text.ts';
import { callMethod } from './call-method.ts';
import { enumerableMethods } from './enumerable-methods.ts';
import { type MethodTable, maybeBlock, plain, withBlock } from './method.ts';
import { copyHash } from './object-methods.ts';

const reading: MethodTable = {
  '[]': plain(1, 1, (self: PuppetHash, args) => read(self, at(args, 0))),
  default: plain(0, 0, (self: PuppetHash) => (self instanceof RubyHash ? self.defaultValue : null)),
  fetch: maybeBlock(1, 2, (self: PuppetHash, [key = null, fallback], _run, block) => {
    const found = self.get(key);
    if (found !== undefined) return found;
    if (block !== undefined) return block.yield(key);
    return fallback === undefined ? giveUp(`a missing key ${inspectValue(key)}`) : fallback;
  }),
  dig: plain(1, Infinity, (self: PuppetHash, [key = null, ...rest], run) => {
    const found = read(self, key);
    return rest.length === 0 || found === null ? found : callMethod(found, 'dig', rest, run);
  }),
  key: plain(
    1,
    1,
    (self: PuppetHash, args) => [...self].find(([, value]) => equal(value, at(args, 0)))?.[0] ?? null,
  ),
  'key?': plain(1, 1, (self: PuppetHash, args) => self.has(at(args, 0))),
  'has_key?': plain(1, 1, (self: PuppetHash, args) => self.has(at(args, 0))),
  'include?': plain(1, 1, (self: PuppetHash, args) => self.has(at(args, 0))),
  'member?': plain(1, 1, (self: PuppetHash, args) => self.has(at(args, 0))),
  'value?': plain(1, 1, (self: PuppetHash, args) =>
    [...self.values()].some((value) => equal(value, at(args, 0))),
  ),
  'has_value?': plain(1, 1, (self: PuppetHash, args) =>
    [...self.values()].some((value) => equal(value, at(args, 0))),
  ),
  keys: plain(0, 0, (self: PuppetHash, _args, run) => run.own([...self.keys()])),
  values: plain(0, 0, (self: PuppetHash, _args, run) => run.own([...self.values()])),
  values_at: plain(0, Infinity, (self: PuppetHash, keys, run) => run.own(keys.map((key) => read(self, key)))),
  length: plain(0, 0, (self: PuppetHash) => self.size),
  size: plain(0, 0, (self: PuppetHash) => self.size),
  'empty?': plain(0, 0, (self: PuppetHash) => self.size === 0),
  to_hash: plain(0, 0, (self) => self),
  to_h: maybeBlock(0, 0, (self: PuppetHash, _args, _run, block) => {
    if (block === undefined) return self;
    return new RubyHash(
      Array.from(self, (pair) => {
        const made = block.yieldAll(pair);
        return isArray(made) && made.length === 2 ? ([at(made, 0), at(made, 1)] as const) : giveUp('to_h');
      }),
    );
  }),
};

const each = withBlock(0, 0, (self: PuppetHash, block, _args, run) => {
  for (const pair of stable(self)) block.yield(run.own([...pair]));
  return self;
});

const iterating: MethodTable = {
  each,
  each_pair: each,
  each_key: withBlock(0, 0, (self: PuppetHash, block) => {
    for (const [key] of stable(self)) block.yield(key);
    return self;
  }),
  each_value: withBlock(0, 0, (self: PuppetHash, block) => {
    for (const [, value] of stable(self)) block.yield(value);
    return self;
  }),
  'any?': maybeBlock(0, 0, (self: PuppetHash, _args, run, block) =>
    block === undefined ? self.size > 0 : [...self].some((pair) => isTruthy(block.yield(run.own([...pair])))),
  ),
};

const select = withBlock(0, 0, (self: PuppetHash, block) => filtered(self, block, true));
const reject = withBlock(0, 0, (self: PuppetHash, block) => filtered(self, block, false));

const making: MethodTable = {
  select,
  filter: select,
  reject,
  compact: plain(0, 0, (self: PuppetHash) => new RubyHash([...self].filter(([, value]) => value !== null))),
  invert: plain(
    0,
    0,
    (self: PuppetHash) => new RubyHash(Array.from(self, ([key, value]) => [value, key] as const)),
  ),
  merge: maybeBlock(0, Infinity, (self: PuppetHash, others, _run, block) =>
    mergeInto(copyHash(self), others, block),
  ),
  slice: plain(
    0,
    Infinity,
    (self: PuppetHash, keys) =>
      new RubyHash(keys.flatMap((key) => (self.has(key) ? [[key, self.get(key) ?? null] as const] : []))),
  ),
  transform_values: withBlock(
    0,
    0,
    (self: PuppetHash, block) =>
      new RubyHash(Array.from(self, ([key, value]) => [key, block.yield(value)] as const)),
  ),
  transform_keys: withBlock(
    0,
    0,
    (self: PuppetHash, block) =>
      new RubyHash(Array.from(self, ([key, value]) => [block.yield(key), value] as const)),
  ),
};

const merging = maybeBlock(0, Infinity, (self: PuppetHash, others, run, block) =>
  mergeInto(mine(self, run), others, block),
);

/** Hashes that the template has made, and those of others that are told. */
const changing: MethodTable = {
  '[]=': plain(2, 2, (self: PuppetHash, [key = null, value = null], run) => {
    mine(self, run).set(key, value);
    return value;
  }),
  store: plain(2, 2, (self: PuppetHash, [key = null, value = null], run) => {
    mine(self, run).set(key, value);
    return value;
  }),
  delete: plain(1, 1, (self: PuppetHash, args, run) => {
    const found = self.get(at(args, 0)) ?? null;
    mine(self, run).delete(at(args, 0));
    return found;
  }),
  delete_if: withBlock(0, 0, (self: PuppetHash, block, _args, run) => {
    const own = mine(self, run);
    for (const [key, value] of own) if (isTruthy(block.yieldAll([key, value]))) own.delete(key);
    return self;
  }),
  'merge!': merging,
  update: merging,
};

export const hashMethods: MethodTable = {
  ...enumerableMethods<PuppetHash>(pairs),
  ...reading,
  ...iterating,
  ...making,
  ...changing,
};

function pairs(self: PuppetHash, run: Run): readonly Value[] {
  return Array.from(self, (pair) => run.own([...pair]));
}

function read(self: PuppetHash, key: Value): Value {
  const found = self.get(key);
  if (found !== undefined || !(self instanceof RubyHash)) return found ?? null;
  return self.defaultProc === undefined ? self.defaultValue : self.defaultProc.yieldAll([self, key]);
}

/** @param block - decides for keys that both have */
function mergeInto(self: PuppetHash, others: readonly Value[], block: Block | undefined): Value {
  for (const other of others.map(hash)) {
    for (const [key, value] of other) {
      const old = block === undefined ? undefined : self.get(key);
      self.set(key, old === undefined || block === undefined ? value : block.yieldAll([key, old, value]));
    }
  }
  return self;
}

/** The pairs, for blocks that must not add or remove any. */
function* stable(self: PuppetHash): Iterable<readonly [Value, Value]> {
  const { size } = self;
  for (const pair of self) {
    yield pair;
    if (self.size !== size) giveUp('a change of a hash while it is iterated');
  }
}

function filtered(self: PuppetHash, block: Block, isWanted: boolean): RubyHash {
  return new RubyHash([...self].filter((pair) => isTruthy(block.yieldAll(pair)) === isWanted));
}

function mine(self: PuppetHash, run: Run): PuppetHash {
  run.assertChangeable(self);
  if (self instanceof RubyHash) return self;
  run.effects.beforeChange(self, run.context);
  // It is put back when the code has ended.
  return self;
}
