/** Methods of modules and classes: those that all have, those of a type, those of an attribute. */

import { attributeCall } from './attribute-calls.ts';
import { callUnknown } from './call-unknown.ts';
import type { Call, Methods } from './calls.ts';
import { constantIn } from './constants.ts';
import { aliasMethod } from './definitions.ts';
import { callForeign, isPartOfPuppet } from './foreign-calls.ts';
import { Locals } from './frame.ts';
import { HARMLESS_CALLS } from './harmless-calls.ts';
import { AttributeClass, RubyModule, TypeClass } from './ruby-module.ts';
import { typeCall } from './type-calls.ts';
import { Unmodelled } from './unmodelled.ts';
import { nameOf, RubySymbol, Unknown, type Value, WrittenProc } from './values.ts';

export function callModule(module: RubyModule, call: Call): Value {
  const own = module.findSingletonMethod(call.name);
  if (own !== undefined) return call.interpreter.invoke(own, module, call.args, call.block);
  const specific = callSpecific(module, call);
  if (specific !== undefined) return specific;
  const general = moduleMethods.get(call.name)?.(module, call);
  if (general !== undefined) return general;
  if (module.isForeign) return callForeign(module, call);
  if (call.name === 'new') return callUnknown(module.path, call);
  if (HARMLESS_CALLS.has(call.name)) return null;
  throw new Unmodelled(`the method ${call.name} of ${module.path}`);
}

function callSpecific(module: RubyModule, call: Call): Value | undefined {
  if (module instanceof TypeClass) return typeCall(module, call);
  // Classes that attributes inherit from are written in the same words.
  if (module instanceof AttributeClass || module.superclass !== undefined) return attributeCall(module, call);
  return undefined;
}

const moduleMethods: Methods<[RubyModule, Call]> = new Map(
  Object.entries<(module: RubyModule, call: Call) => Value | undefined>({
    include: (module, call) => mixIn(module, call, 'included'),
    extend: (module, call) => mixIn(module, call, 'extended'),
    class_eval: evaluateBlock,
    module_eval: evaluateBlock,
    class_exec: evaluateBlock,
    instance_eval: evaluateBlock,
    send: sendMethod,
    __send__: sendMethod,
    public_send: sendMethod,
    define_method: (module, call) => defineMethod(module, call, module.methods),
    define_singleton_method: (module, call) => defineMethod(module, call, module.singletonMethods),
    const_get: (module, { args, interpreter }) => constantIn(module, nameOf(args[0] ?? null), interpreter),
    alias_method: (module, { args: [to = null, from = null], frame }) =>
      aliasMethod(module, nameOf(to), nameOf(from), frame),
    private: (module, call) => setVisibility(module, call, 'private'),
    public: (module, call) => setVisibility(module, call, 'public'),
    module_function: (module, call) => setVisibility(module, call, 'module_function'),
    instance_variable_get: (module, { args }) =>
      module.instanceVariables.get(nameOf(args[0] ?? null)) ?? null,
    freeze: (module) => module,
    '==': (module, { args: [other] }) => (other instanceof RubyModule ? module === other : undefined),
  }),
);

function evaluateBlock(module: RubyModule, call: Call): Value | undefined {
  const { args, block, interpreter } = call;
  if (module.isForeign) return undefined;
  if (block !== undefined) return interpreter.callProc(block, [module], module);
  const [text] = args;
  return typeof text === 'string' ? evaluateText(module, text, call) : undefined;
}

/** Unlike a block, text sees the constants of the module. */
function evaluateText(module: RubyModule, text: string, { frame, interpreter }: Call): Value {
  const { root, error } = interpreter.files.parseText(text);
  if (error !== undefined) throw new Unmodelled(`a syntax error: ${error.message}`);
  return interpreter.evaluate(root, {
    ...frame,
    self: module,
    definitions: 'instance',
    modules: [module, ...frame.modules],
    locals: new Locals(frame.locals),
  });
}

function sendMethod(module: RubyModule, call: Call): Value {
  const [name, ...args] = call.args;
  return callModule(module, { ...call, name: nameOf(name ?? null), args });
}

/** `include` and `extend`, with the hook of the module. */
function mixIn(module: RubyModule, call: Call, hook: 'included' | 'extended'): Value | undefined {
  if (module.isForeign) return undefined;
  for (const mixin of call.args) {
    if (!(mixin instanceof RubyModule)) {
      throw new Unmodelled(mixin instanceof Unknown ? `a mixin from ${mixin.what}` : 'a mixin');
    }
    if (mixin.isForeign && !isPartOfPuppet(mixin.path) && mixin.constants.size + mixin.methods.size === 0) {
      throw new Unmodelled(`the mixin ${mixin.path}, which is not among the files`);
    }
    (hook === 'included' ? module.inclusions : module.extensions).unshift(mixin);
    const method = mixin.singletonMethods.get(hook);
    if (method !== undefined) call.interpreter.invoke(method, mixin, [module], undefined);
  }
  return module;
}

function defineMethod(
  module: RubyModule,
  { args: [name = null, body], block, frame }: Call,
  methods: RubyModule['methods'],
): Value {
  const proc = block ?? body;
  if (!(proc instanceof WrittenProc)) throw new Unmodelled('a method defined without a block');
  const method = { name: nameOf(name), parameters: proc.parameters, body: proc.body, frame, block: proc };
  methods.set(method.name, { ...method, isPublic: module.visibility !== 'private' });
  return name;
}

function setVisibility(module: RubyModule, { args }: Call, visibility: RubyModule['visibility']): Value {
  if (args.length === 0) module.visibility = visibility;
  for (const name of args.flat() as Value[]) {
    const method = name instanceof RubySymbol ? module.methods.get(name.name) : undefined;
    if (method === undefined) continue;
    module.methods.set(method.name, { ...method, isPublic: visibility === 'public' });
    if (visibility === 'module_function') module.singletonMethods.set(method.name, method);
  }
  return null;
}
