/** Method calls: who is called, with what. */

import { isRubyNode, type RubyNode, type RubyNodeOf } from '../../../lib/ruby-syntax/index.ts';
import { isTruthy } from '../arguments.ts';
import { invoke, methodsNamed } from '../methods/index.ts';
import { kindOf, MODULES } from '../values/kinds.ts';
import { type Block, RubyModule as ClassName, RubyProc } from '../values/ruby-values.ts';
import { callUnknown } from './call-unknown.ts';
import { evaluateAll } from './evaluators.ts';
import type { Frame } from './frame.ts';
import { HARMLESS_CALLS } from './harmless-calls.ts';
import type { Interpreter } from './interpreter.ts';
import { callKernel, isKernelCall } from './kernel-calls.ts';
import { callModule } from './module-calls.ts';
import { callOwn } from './path-methods.ts';
import { RubyModule } from './ruby-module.ts';
import { BreakSignal } from './signals.ts';
import { Unmodelled } from './unmodelled.ts';
import { RubySymbol, Unknown, type Value, WrittenProc } from './values.ts';

/** One call with its arguments evaluated. */
export interface Call {
  readonly name: string;
  readonly args: readonly Value[];
  readonly block: RubyProc | undefined;
  readonly frame: Frame;
  readonly interpreter: Interpreter;
}

/** Methods by their names in Ruby; `undefined` where the arguments make it something that is not modelled. */
export type Methods<Rest extends readonly unknown[]> = ReadonlyMap<
  string,
  (...rest: Rest) => Value | undefined
>;

const SAFE_NAVIGATION = 4;

export function evaluateCall(node: RubyNodeOf<'CallNode'>, frame: Frame, interpreter: Interpreter): Value {
  if (node.receiver === null) return evaluateSelfCall(node, frame, interpreter);
  const receiver = interpreter.evaluate(node.receiver, frame);
  if (receiver === null && (node.flags & SAFE_NAVIGATION) !== 0) return null;
  const call = prepare(node, frame, interpreter);
  if (call.name === '!') return receiver instanceof Unknown ? receiver : !isTruthy(receiver);
  return callMethod(receiver, call);
}

/** Calls a method of any value. `break` in its block ends it. */
export function callMethod(receiver: Value, call: Call): Value {
  if (receiver instanceof Unknown) return callUnknown(receiver.what, call);
  if (receiver instanceof RubyModule) return callModule(receiver, call);
  try {
    return callOwn(receiver, call) ?? callValue(receiver, call);
  } catch (signal) {
    if (signal instanceof BreakSignal && call.block !== undefined) return signal.value;
    throw signal;
  }
}

/** Methods that keep what they are given, and do not look at it. */
const KEEP: ReadonlySet<string> = new Set([
  '<<', '[]=', 'append', 'call', 'fetch', 'inject', 'insert', 'push', 'reduce', 'store', 'unshift',
]); // biome-ignore format: a table

/** Comparisons: with something unknown, their answer is not known either. */
const COMPARE: ReadonlySet<string> = new Set([
  '!=',
  '==',
  '===',
  '=~',
  'eql?',
  'equal?',
  'include?',
  'match?',
]);

function callValue(receiver: Value, { args, block, interpreter, name }: Call): Value {
  if (typeof receiver === 'object' && receiver !== null) interpreter.requireUntainted(receiver);
  const unknown = args.find((arg) => arg instanceof Unknown);
  if (unknown !== undefined && COMPARE.has(name)) return unknown;
  if (unknown !== undefined && !KEEP.has(name)) throw new Unmodelled(`${name} with ${unknown.what}`);
  const methods = methodsNamed(name);
  if (methods === undefined) throw new Unmodelled(`the method ${name} of ${kindOf(receiver)}`);
  const given = args.map(className);
  return invoke(methods, receiver, { name, args: given, run: interpreter.run, block });
}

/** Ruby's own classes, as methods of values know them. */
export function className(value: Value): Value {
  const isClass = value instanceof RubyModule && value.isForeign && MODULES.has(value.path);
  return isClass ? new ClassName(value.path) : value;
}

function evaluateSelfCall(node: RubyNodeOf<'CallNode'>, frame: Frame, interpreter: Interpreter): Value {
  const { self } = frame;
  const own = self?.findSingletonMethod(node.name) ?? interpreter.globalMethods.get(node.name);
  // Documentation and code that runs later: its arguments are often more than is modelled.
  if (own === undefined && HARMLESS_CALLS.has(node.name) && !isKernelCall(node.name)) return null;
  const call = prepare(node, frame, interpreter);
  if (own !== undefined) return interpreter.invoke(own, self, call.args, call.block);
  if (isKernelCall(node.name)) return callKernel(call);
  if (self !== undefined) return callModule(self, call);
  throw new Unmodelled(`the method ${node.name}`);
}

function prepare(node: RubyNodeOf<'CallNode'>, frame: Frame, interpreter: Interpreter): Call {
  const nodes = isRubyNode(node.arguments, 'ArgumentsNode') ? node.arguments.arguments : [];
  return {
    name: node.name,
    args: evaluateAll(nodes, frame, interpreter),
    block: blockOf(node.block, frame, interpreter),
    frame,
    interpreter,
  };
}

function blockOf(node: RubyNode | null, frame: Frame, interpreter: Interpreter): RubyProc | undefined {
  if (node === null) return undefined;
  if (isRubyNode(node, 'BlockNode')) return new WrittenProc(node, false, frame, interpreter);
  if (!isRubyNode(node, 'BlockArgumentNode')) throw new Unmodelled(node.kind);
  const value = interpreter.evaluate(node.expression, frame);
  if (value === null) return undefined;
  if (value instanceof RubyProc) return value;
  if (value instanceof RubySymbol) return new RubyProc(true, symbolBlock(value.name, frame, interpreter));
  throw new Unmodelled('a block that is no proc');
}

/** `&:name` */
function symbolBlock(name: string, frame: Frame, interpreter: Interpreter): Block {
  const call = (receiver: Value, args: readonly Value[]) =>
    callMethod(receiver, { name, args, block: undefined, frame, interpreter });
  return {
    takesOne: true,
    yield: (value) => call(value, []),
    yieldAll: ([value = null, ...rest]) => call(value, rest),
  };
}
