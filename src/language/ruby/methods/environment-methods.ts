/** `ENV`: looks like a hash of strings, and is none. */

import type { Value } from '../../pcore/index.ts';
import { text } from '../arguments.ts';
import { raise } from '../signals.ts';
import type { RubyEnvironment } from '../values/ruby-values.ts';
import { inspectValue } from '../values/text.ts';
import { hashMethods } from './hash-methods.ts';
import { type MethodTable, maybeBlock, plain } from './method.ts';

const hasKey = plain(1, 1, ({ variables }: RubyEnvironment, [name]) => variables.has(text(name)));

export const environmentMethods: MethodTable = {
  ...asHash('empty?', 'keys', 'length', 'map', 'reject', 'select', 'size', 'to_h', 'values'),
  '[]': plain(1, 1, ({ variables }: RubyEnvironment, [name]) => variables.get(text(name)) ?? null),
  fetch: maybeBlock(1, 2, ({ variables }: RubyEnvironment, [name, fallback], _run, block) => {
    const found = variables.get(text(name)) ?? block?.yield(text(name)) ?? fallback;
    return found === undefined ? raise(`key not found: ${inspectValue(text(name))}`) : found;
  }),
  'has_key?': hasKey,
  'include?': hasKey,
  'key?': hasKey,
  'member?': hasKey,
};

/** Methods that do the same as those of a hash with its variables. */
function asHash(...names: readonly string[]): MethodTable {
  const onVariables = (self: Value) => (self as RubyEnvironment).variables;
  return Object.fromEntries(
    names.flatMap((name) => {
      const method = hashMethods[name];
      if (method === undefined) return [];
      return [
        [name, { ...method, call: (self, ...rest) => method.call(onVariables(self), ...rest) }] as const,
      ];
    }),
  );
}
