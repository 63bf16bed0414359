import { isInteger, type Value } from '../../pcore/index.ts';
import { at, small } from '../arguments.ts';
import { giveUp } from '../signals.ts';
import { isInRange } from '../values/comparison.ts';
import type { RubyRange } from '../values/ruby-values.ts';
import { stringsBetween } from '../values/string-succession.ts';
import { enumerableMethods } from './enumerable-methods.ts';
import { iterating, type MethodTable, plain, withBlock } from './method.ts';

const MAX_LENGTH = 1_000_000;

export const rangeMethods: MethodTable = {
  ...enumerableMethods<RubyRange>(itemsOf),
  each: withBlock(0, 0, (self: RubyRange, block) => {
    for (const item of itemsOf(self)) block.yield(item);
    return self;
  }),
  'include?': plain(1, 1, (self: RubyRange, args) => isIn(self, at(args, 0))),
  'member?': plain(1, 1, (self: RubyRange, args) => isIn(self, at(args, 0))),
  'cover?': plain(1, 1, (self: RubyRange, args) => isIn(self, at(args, 0))),
  size: plain(0, 0, (self: RubyRange) => (typeof self.first === 'string' ? null : itemsOf(self).length)),
  step: iterating<RubyRange>(
    'step',
    1,
    (self, [by = 1]) => {
      const distance = small(by);
      return distance > 0
        ? itemsOf(self).filter((_, index) => index % distance === 0)
        : giveUp('such a step');
    },
    (items, block, self) => {
      for (const item of items) block.yield(item);
      return self;
    },
  ),
  begin: plain(0, 0, (self: RubyRange) => self.first),
  end: plain(0, 0, (self: RubyRange) => self.last),
};

function isIn(range: RubyRange, value: Value): boolean {
  return typeof range.first === 'number' ? isInRange(range, value) : giveUp('a range of something else');
}

function itemsOf({ excludesLast, first, last }: RubyRange): readonly Value[] {
  if (typeof first === 'string' && typeof last === 'string') return stringsBetween(first, last, excludesLast);
  if (!isInteger(first) || !isInteger(last) || typeof first === 'bigint' || typeof last === 'bigint')
    return giveUp('a range of something else');
  const length = Math.max(0, last - first + (excludesLast ? 0 : 1));
  return length > MAX_LENGTH
    ? giveUp('such a long range')
    : Array.from({ length }, (_, index) => first + index);
}
