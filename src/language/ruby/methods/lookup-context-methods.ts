/** `Puppet::LookupContext`: what a backend of Hiera gets as its last argument. */

import type { LookupContext } from '../../hiera/index.ts';
import { SensitiveValue, type Value } from '../../pcore/index.ts';
import { at } from '../arguments.ts';
import { giveUp } from '../signals.ts';
import { RubySymbol } from '../values/ruby-values.ts';
import { type MethodTable, maybeBlock, plain } from './method.ts';

export const lookupContextMethods: MethodTable = {
  not_found: plain(0, 0, (self: LookupContext, _args, run) => {
    run.effects.beforeQuestion();
    return self.callMethod('not_found', []);
  }),
  environment_name: plain(
    0,
    0,
    (self: LookupContext) => new RubySymbol(String(self.callMethod('environment_name', []))),
  ),
  module_name: plain(0, 0, (self: LookupContext) => self.callMethod('module_name', [])),
  cache_has_key: plain(1, 1, (self: LookupContext, args, run) => {
    run.effects.beforeQuestion();
    return self.callMethod('cache_has_key', [keyOf(args)]);
  }),
  cached_value: plain(1, 1, (self: LookupContext, args, run) => {
    run.effects.beforeQuestion();
    return run.protected(self.callMethod('cached_value', [keyOf(args)]));
  }),
  cache: plain(2, 2, (self: LookupContext, args, run) => {
    const value = scalar(at(args, 1));
    const key = keyOf(args);
    run.effects.defer('change', () => self.callMethod('cache', [key, value]));
    return value;
  }),
  explain: maybeBlock(0, 0, (self: LookupContext) =>
    // The block runs only where somebody listens.
    self.callMethod('explain', [], { call: () => giveUp('an explanation') }),
  ),
};

function keyOf(args: readonly Value[]): string {
  const key = at(args, 0);
  return typeof key === 'string' ? key : giveUp('a key that is no String');
}

/** What the function cannot change any more. */
function scalar(value: Value): Value {
  const isPlain = typeof value !== 'object' || value === null || value instanceof SensitiveValue;
  return isPlain ? value : giveUp('a list or hash in the cache');
}
