import { small } from '../arguments.ts';
import { giveUp } from '../signals.ts';
import type { RubyEnumerator } from '../values/ruby-values.ts';
import { enumerableMethods } from './enumerable-methods.ts';
import { type MethodTable, withBlock } from './method.ts';

export const enumeratorMethods: MethodTable = {
  ...enumerableMethods<RubyEnumerator>((self) => self.items),
  with_index: withBlock(0, 1, (self: RubyEnumerator, block, [offset = 0], run) => {
    const first = small(offset);
    const results = self.items.map((item, index) => block.yieldAll([item, index + first]));
    return self.method === 'map' ? run.own(results) : giveUp(`with_index of ${self.method}`);
  }),
};
