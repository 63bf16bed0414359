/** Method calls: who is called, with what. */

import { isRubyNode, type RubyNode, type RubyNodeOf } from '../../lib/ruby-syntax/index.ts';
import { arrayMethods } from './array-methods.ts';
import { evaluateAll } from './evaluators.ts';
import type { Frame } from './frame.ts';
import { HARMLESS_CALLS } from './harmless-calls.ts';
import { hashMethods } from './hash-methods.ts';
import { isInert } from './inert.ts';
import type { Interpreter } from './interpreter.ts';
import { callKernel, isKernelCall } from './kernel-calls.ts';
import { methodIn } from './method-table.ts';
import { callModule } from './module-calls.ts';
import { AttributeClass, RubyModule, TypeClass } from './ruby-module.ts';
import { scalarMethods } from './scalar-methods.ts';
import { textMethods } from './text-methods.ts';
import { Unmodelled } from './unmodelled.ts';
import { equals, isTruthy, RubyHash, RubyProc, RubyRegexp, Unknown, type Value } from './values.ts';

/** One call with its arguments evaluated. */
export interface Call {
  readonly name: string;
  readonly args: readonly Value[];
  readonly block: RubyProc | undefined;
  readonly frame: Frame;
  readonly interpreter: Interpreter;
}

/** A method of a value; `undefined` where the arguments make it something that is not modelled. */
export type ValueMethod<Receiver> = (receiver: Receiver, call: Call) => Value | undefined;

const SAFE_NAVIGATION = 4;

export function evaluateCall(node: RubyNodeOf<'CallNode'>, frame: Frame, interpreter: Interpreter): Value {
  if (node.receiver === null) return evaluateSelfCall(node, frame, interpreter);
  const receiver = interpreter.evaluate(node.receiver, frame);
  if (receiver === null && (node.flags & SAFE_NAVIGATION) !== 0) return null;
  const call = prepare(node, frame, interpreter);
  if (call.name === '!') return receiver instanceof Unknown ? receiver : !isTruthy(receiver);
  return callMethod(receiver, call);
}

/** Calls a method of any value. */
export function callMethod(receiver: Value, call: Call): Value {
  if (receiver instanceof Unknown) return callUnknown(receiver.what, call);
  if (receiver instanceof RubyModule) return callModule(receiver, call);
  if (receiver instanceof RubyProc && /^(call|\(\)|\[\]|===|yield)$/.test(call.name)) {
    return call.interpreter.callProc(receiver, call.args);
  }
  const result = callValue(receiver, call);
  if (result !== undefined) return result;
  const general = callObject(receiver, call);
  if (general !== undefined) return general;
  throw new Unmodelled(`the method ${call.name} of a ${kindOf(receiver)}`);
}

/** Methods that run code which they get as text or by its name. */
const RUNS_CODE =
  /^((class_|module_|instance_)?(eval|exec)|__send__|public_send|send|const_set|define_\w+|instance_variable_set)$/;

/** Methods that every value has. */
function callObject(receiver: Value, { name, args, block, interpreter }: Call): Value | undefined {
  if (name === '==' || name === '!=') {
    const [other = null] = args;
    return other instanceof Unknown ? other : equals(receiver, other) === (name === '==');
  }
  if (name === 'is_a?' || name === 'kind_of?') return isA(receiver, args[0]);
  if (name === 'tap' && block !== undefined) {
    interpreter.callProc(block, [receiver]);
    return receiver;
  }
  return undefined;
}

/** @returns `undefined` for other classes than those of Ruby's own values */
function isA(receiver: Value, type: Value | undefined): boolean | undefined {
  const name = type instanceof RubyModule && type.isForeign ? type.path : '';
  return RUBY_CLASSES.has(name) ? classesOf(receiver).includes(name) : undefined;
}

const RUBY_CLASSES: ReadonlySet<string> = new Set([
  'String',
  'Symbol',
  'Array',
  'Hash',
  'NilClass',
  'Regexp',
  'Proc',
]);

function classesOf(value: Value): readonly string[] {
  if (value === null) return ['NilClass'];
  if (typeof value === 'string') return ['String'];
  if (typeof value === 'symbol') return ['Symbol'];
  if (Array.isArray(value)) return ['Array'];
  if (value instanceof RubyHash) return ['Hash'];
  if (value instanceof RubyRegexp) return ['Regexp'];
  return value instanceof RubyProc ? ['Proc'] : [];
}

/** Something unknown may do anything but to a type of which it does not know. */
export function callUnknown(what: string, call: Call): Unknown {
  const { args, block, interpreter, name } = call;
  if (RUNS_CODE.test(name)) throw new Unmodelled(`${what}.${name}`);
  if (args.some((arg) => arg instanceof TypeClass || arg instanceof AttributeClass)) {
    throw new Unmodelled(`${what}.${call.name} with the type as argument`);
  }
  if (block !== undefined && block.body !== null && !isInert(block.body)) {
    throw new Unmodelled(`${what}.${call.name} with a block that matters`);
  }
  interpreter.taint(args);
  return new Unknown(`${what}.${call.name}`);
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
  if (isRubyNode(node, 'BlockNode')) return new RubyProc(node.parameters, node.body, frame, false);
  if (!isRubyNode(node, 'BlockArgumentNode')) throw new Unmodelled(node.kind);
  const value = interpreter.evaluate(node.expression, frame);
  if (value === null) return undefined;
  if (value instanceof RubyProc) return value;
  if (typeof value === 'symbol') return symbolProc(value.description ?? '', frame);
  throw new Unmodelled('a block that is no proc');
}

/** `&:name` */
function symbolProc(name: string, frame: Frame): RubyProc {
  const at = { offset: 0 };
  const parameter: RubyNodeOf<'RequiredParameterNode'> = { kind: 'RequiredParameterNode', ...at, name: 'it' };
  const parameters: RubyNodeOf<'ParametersNode'> = {
    kind: 'ParametersNode',
    ...at,
    requireds: [parameter],
    optionals: [],
    rest: null,
    posts: [],
    keywords: [],
    keywordRest: null,
    block: null,
  };
  const receiver: RubyNodeOf<'LocalVariableReadNode'> = { kind: 'LocalVariableReadNode', ...at, name: 'it' };
  const body: RubyNodeOf<'CallNode'> = {
    kind: 'CallNode',
    ...at,
    flags: 0,
    receiver,
    name,
    arguments: null,
    block: null,
  };
  return new RubyProc(parameters, body, frame, false);
}

function callValue(receiver: Value, call: Call): Value | undefined {
  if (Array.isArray(receiver)) {
    call.interpreter.requireUntainted(receiver);
    return methodIn(arrayMethods, call.name)?.(receiver, call);
  }
  if (receiver instanceof RubyHash) {
    call.interpreter.requireUntainted(receiver);
    return methodIn(hashMethods, call.name)?.(receiver, call);
  }
  if (typeof receiver === 'string' || typeof receiver === 'symbol') {
    return methodIn(textMethods, call.name)?.(receiver, call);
  }
  return methodIn(scalarMethods, call.name)?.(receiver, call);
}

function kindOf(value: Value): string {
  if (value === null) return 'nil';
  if (typeof value !== 'object') return typeof value;
  return Array.isArray(value) ? 'array' : value.constructor.name;
}
