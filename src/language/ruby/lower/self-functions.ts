/** Methods that are called without a receiver: those of what `self` is, then those of Kernel. */

import type { Value } from '../../pcore/index.ts';
import { at } from '../arguments.ts';
import { callLegacy, callMethod, callNamed, isScopeMethod } from '../methods/index.ts';
import { giveUp } from '../signals.ts';
import { CALLING_SCOPE, RubyScope, RubySymbol } from '../values/ruby-values.ts';
import { counted, type KernelFunction, kernelFunctions } from './kernel-functions.ts';
import type { SelfKind } from './lowering.ts';

const TOP_SCOPE = new RubyScope('top');

const ofTemplates: ReadonlyMap<string, KernelFunction> = new Map<string, KernelFunction>([
  ['scope', counted(0, () => CALLING_SCOPE)],
  [
    'has_variable?',
    counted(1, (args, run) => {
      run.effects.beforeQuestion();
      return run.context.hasVariable(nameOf(at(args, 0)));
    }),
  ],
  ['classes', counted(0, (_args, run) => run.own([...run.context.classes]))],
  ['all_tags', counted(0, (_args, run) => run.own([...run.context.tags]))],
  ['file', counted(0, (_args, run) => run.context.file ?? null)],
]);

const ofFunctions: ReadonlyMap<string, KernelFunction> = new Map<string, KernelFunction>([
  // With a block, Ruby is called.
  ['block_given?', counted(0, () => false)],
  ['closure_scope', counted(0, () => TOP_SCOPE)],
  ['call_function', ([name = null, ...args], run) => callNamed(nameOf(name), args, run, run.top)],
]);

export function selfFunction(name: string, self: SelfKind): KernelFunction | undefined {
  return own(name, self) ?? kernelFunctions.get(name);
}

function own(name: string, self: SelfKind): KernelFunction | undefined {
  if (self === 'template') return ofTemplates.get(name);
  if (self === 'function') return ofFunctions.get(name);
  const legacy = /^function_(\w+)$/.exec(name)?.[1];
  if (legacy !== undefined) return (args, run) => callLegacy(legacy, args, run);
  return isScopeMethod(name) ? (args, run) => callMethod(CALLING_SCOPE, name, args, run) : undefined;
}

function nameOf(value: Value): string {
  if (typeof value === 'string') return value;
  return value instanceof RubySymbol ? value.name : giveUp('a name that is no String');
}
