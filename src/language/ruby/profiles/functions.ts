/** Functions of modules. Their callers leave errors to Ruby. */

import { nameOf } from '../arguments.ts';
import { callLegacy, callMethod, callNamed, isScopeMethod } from '../methods/index.ts';
import { CALLING_SCOPE, RubyScope } from '../values/ruby-values.ts';
import { counted, type Profile, type SelfFunction } from './profile.ts';

const TOP_SCOPE = new RubyScope('top');

const methods: ReadonlyMap<string, SelfFunction> = new Map<string, SelfFunction>([
  // With a block, Ruby is called.
  ['block_given?', counted(0, () => false)],
  ['closure_scope', counted(0, () => TOP_SCOPE)],
  ['call_function', ([name = null, ...args], run) => callNamed(nameOf(name), args, run, run.top)],
]);

/** `Puppet::Functions.create_function`: `self` is the function. */
export const newerFunction: Profile = { find: (name) => methods.get(name), isDispatched: true };

/** `Puppet::Parser::Functions.newfunction`: `self` is the scope that calls. */
export const legacyFunction: Profile = {
  self: CALLING_SCOPE,
  find: (name) => {
    const legacy = /^function_(\w+)$/.exec(name)?.[1];
    if (legacy !== undefined) return (args, run) => callLegacy(legacy, args, run);
    return isScopeMethod(name) ? (args, run) => callMethod(CALLING_SCOPE, name, args, run) : undefined;
  },
};
