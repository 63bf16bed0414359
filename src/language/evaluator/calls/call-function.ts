/** Calling a function by name, whatever it is written in. */

import { failure } from '../../catalog/index.ts';
import type { Module, RubyFunctionFile } from '../../environment/index.ts';
import { builtinFunctions, type Lambda } from '../../functions/index.ts';
import type { PuppetType, Value } from '../../pcore/index.ts';
import type { Compiler } from '../compiler.ts';
import type { LoweredCallable } from '../definitions/callable.ts';
import { evaluationError } from '../evaluation-error.ts';
import { ReturnSignal } from '../runtime/control-flow.ts';
import { Frame } from '../runtime/frame.ts';
import { EMPTY_LAYOUT } from '../runtime/scope.ts';
import { type CallSite, callPosition } from './call-site.ts';
import { FunctionContext } from './function-context.ts';
import { CallFromSite } from './ruby-caller.ts';

/** What is called, and for whom. */
export interface FunctionCall {
  readonly name: string;
  readonly args: readonly Value[];
  readonly block?: Lambda | undefined;
  /** The module whose code calls it, which decides between functions of one name; absent for the environment. */
  readonly user?: Module | undefined;
  /** For a key of Hiera: the caller takes `NO_SUCH_KEY` for an answer. False when absent. */
  readonly isForKey?: boolean;
}

/** @throws PuppetError, without a position where it is about the arguments */
export function callFunction(call: FunctionCall, site: CallSite): Value {
  const { profile } = site.frame.scope.compiler.request;
  if (profile === undefined) return findAndCall(call, site);
  return profile.measure('function', call.name, () => findAndCall(call, site));
}

/** A call that is written in a manifest: those that come of it can be asked for it. */
export function callFromCode(
  name: string,
  args: readonly Value[],
  block: Lambda | undefined,
  site: CallSite,
): Value {
  const { callers } = site.frame.scope.compiler;
  callers.push(site);
  try {
    return callFunction({ name, args, block, user: site.unit.module }, site);
  } finally {
    callers.pop();
  }
}

/** What a function of a module is declared to return: see `RubyHost`. */
export function returnTypesOf(name: string, user: Module | undefined, site: CallSite): readonly PuppetType[] {
  const { compiler } = site.frame.scope;
  const puppet = compiler.code.findFunction(name, user);
  if (puppet !== undefined) {
    const declared = puppet.declaredReturnType(compiler.topScope.frame);
    return declared === undefined ? [] : [declared];
  }
  const file = builtinFunctions.has(name) ? undefined : compiler.environment.rubyFunctionFile(name, user);
  if (file === undefined) return [];
  return compiler.request.termini.ruby?.returnTypes?.({ name, file }, new CallFromSite(site)) ?? [];
}

function findAndCall({ args, block, isForKey, name, user }: FunctionCall, site: CallSite): Value {
  const { compiler } = site.frame.scope;
  const builtin = compiler.code.builtinFunction(name);
  if (builtin !== undefined) return builtin.call(new FunctionContext(site), args, block);
  const bare = name.startsWith('::') ? name.slice(2) : name;
  const puppet = compiler.code.findFunction(bare, user);
  if (puppet !== undefined) return callPuppet(puppet, args, compiler);
  const ruby = compiler.environment.rubyFunctionFile(bare, user);
  if (ruby === undefined) {
    throw evaluationError('unknown_function', `Unknown function: '${name}'.`, callPosition(site));
  }
  const host = compiler.request.termini.ruby;
  if (host !== undefined)
    return host.callFunction(
      { name: bare, file: ruby, args, block },
      new CallFromSite(site, userIn(ruby), isForKey),
    );
  throw failure(`The function '${bare}' is written in Ruby (${ruby.path}), and Ruby is not available`);
}

/** As whose code a function in Ruby calls others: those of the older kind, and the environment's, as the environment's. */
export function userIn({ api, module }: RubyFunctionFile): Module | undefined {
  return api === '4.x' ? module : undefined;
}

/** Functions see the variables of top scope, not those of their caller. */
function callPuppet(code: LoweredCallable, args: readonly Value[], compiler: Compiler): Value {
  const { topScope } = compiler;
  compiler.enter();
  try {
    if (!code.isMisordered && (args.length < code.minParameters || args.length > code.maxParameters)) {
      throw code.signatureMismatch(args, new Frame(topScope, EMPTY_LAYOUT, undefined));
    }
    return code.call(args, topScope, topScope.frame);
  } catch (signal) {
    if (signal instanceof ReturnSignal) return signal.value;
    throw signal;
  } finally {
    compiler.leave();
  }
}

/** Whether a function of that name can be called. */
export function isFunctionKnown(name: string, compiler: Compiler): boolean {
  return (
    builtinFunctions.has(name) ||
    compiler.code.builtinFunction(name) !== undefined ||
    compiler.code.findFunction(name, undefined) !== undefined ||
    compiler.environment.rubyFunctionFile(name) !== undefined
  );
}
