/** How a method of a Ruby class is described here. */

import type { Value } from '../../pcore/index.ts';
import type { Run } from '../run.ts';
import { type Block, RubyEnumerator } from '../values/ruby-values.ts';

export type Call<Self extends Value> = (
  self: Self,
  args: readonly Value[],
  run: Run,
  block: Block | undefined,
) => Value;

export interface Method {
  readonly min: number;
  readonly max: number;
  readonly block: 'none' | 'optional' | 'required';
  readonly call: Call<Value>;
}

export type MethodTable = Readonly<Record<string, Method>>;

/** A method that takes no block; with one, it is not modelled. */
export function plain<Self extends Value>(min: number, max: number, call: Call<Self>): Method {
  return { min, max, block: 'none', call: call as unknown as Call<Value> };
}

export function withBlock<Self extends Value>(
  min: number,
  max: number,
  call: (self: Self, block: Block, args: readonly Value[], run: Run) => Value,
): Method {
  const narrowed = call as unknown as (self: Value, block: Block, args: readonly Value[], run: Run) => Value;
  return {
    min,
    max,
    block: 'required',
    call: (self, args, run, block) => narrowed(self, block ?? NO_BLOCK, args, run),
  };
}

export function maybeBlock<Self extends Value>(min: number, max: number, call: Call<Self>): Method {
  return { min, max, block: 'optional', call: call as unknown as Call<Value> };
}

const NO_BLOCK: Block = { yield: () => null, yieldAll: () => null, takesOne: true };

/** A method that iterates with a block, and answers an enumerator without one. */
export function iterating<Self extends Value>(
  name: string,
  max: number,
  itemsOf: (self: Self, args: readonly Value[], run: Run) => readonly Value[],
  withItems: (items: readonly Value[], block: Block, self: Self, run: Run) => Value,
): Method {
  return maybeBlock<Self>(0, max, (self, args, run, block) => {
    const items = itemsOf(self, args, run);
    return block === undefined ? new RubyEnumerator(items, name) : withItems(items, block, self, run);
  });
}
