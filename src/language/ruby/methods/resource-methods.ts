/** Resources of the catalog. */

import { at } from '../arguments.ts';
import { withResources } from '../functions/references.ts';
import { access } from '../puppet-access-calls.ts';
import { giveUp } from '../signals.ts';
import { type RubyResource, RubySymbol } from '../values/ruby-values.ts';
import { type MethodTable, plain } from './method.ts';

export const resourceMethods: MethodTable = {
  type: plain(0, 0, (self: RubyResource) => self.type),
  title: plain(0, 0, (self: RubyResource) => self.title),
  ref: plain(0, 0, (self: RubyResource) => self.reference),
  '[]': plain(1, 1, (self: RubyResource, args, run) => {
    const name = at(args, 0);
    const key = name instanceof RubySymbol ? name.name : name;
    if (typeof key !== 'string') return giveUp('a parameter whose name is no String');
    return key === 'title'
      ? self.title
      : run.protected(withResources(self.parameter(key), access(run).titleNames));
  }),
};
