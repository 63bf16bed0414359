/** `class`, `module`, `class << self` and `def`. */

import { isRubyNode, type RubyNode, type RubyNodeOf } from '../../../lib/ruby-syntax/index.ts';
import { readConstant } from './constants.ts';
import { type Frame, Locals } from './frame.ts';
import type { Interpreter } from './interpreter.ts';
import { type RubyMethod, RubyModule } from './ruby-module.ts';
import { Unmodelled } from './unmodelled.ts';
import { RubySymbol, type Value } from './values.ts';

/** Classes that only Puppet may define: opened again, they could change every type. */
const CLOSED =
  /^(Object|Kernel|Module|Class|Array|Hash|String|Symbol|Regexp|Puppet::(Type|Parameter|Property|ResourceApi))$/;

export function evaluateModule(
  node: RubyNodeOf<'ModuleNode'>,
  frame: Frame,
  interpreter: Interpreter,
): Value {
  const module = open(node, undefined, frame, interpreter);
  return evaluateBody(node.body, module, frame, interpreter);
}

export function evaluateClass(node: RubyNodeOf<'ClassNode'>, frame: Frame, interpreter: Interpreter): Value {
  const superclass = node.superclass === null ? null : interpreter.evaluate(node.superclass, frame);
  if (superclass !== null && !(superclass instanceof RubyModule)) {
    throw new Unmodelled('a superclass that is not known');
  }
  if (superclass?.path === 'Puppet::Type') throw new Unmodelled('a class that inherits from Puppet::Type');
  if (superclass?.findSingletonMethod('inherited') !== undefined) throw new Unmodelled('self.inherited');
  const module = open(node, superclass ?? undefined, frame, interpreter);
  return evaluateBody(node.body, module, frame, interpreter);
}

export function evaluateSingletonClass(
  node: RubyNodeOf<'SingletonClassNode'>,
  frame: Frame,
  interpreter: Interpreter,
): Value {
  const target = interpreter.evaluate(node.expression, frame);
  if (!(target instanceof RubyModule) || target !== frame.self) {
    throw new Unmodelled('the singleton class of something else than self');
  }
  const inner: Frame = { ...frame, definitions: 'singleton', locals: new Locals() };
  const before = target.visibility;
  target.visibility = 'public';
  const value = interpreter.evaluate(node.body, inner);
  target.visibility = before;
  return value;
}

export function evaluateDef(node: RubyNodeOf<'DefNode'>, frame: Frame, interpreter: Interpreter): Value {
  const { self } = frame;
  const method: RubyMethod = {
    name: node.name,
    parameters: node.parameters,
    body: node.body,
    frame,
    isPublic: self?.visibility !== 'private',
  };
  if (node.receiver !== null) {
    const receiver = interpreter.evaluate(node.receiver, frame);
    if (!(receiver instanceof RubyModule)) throw new Unmodelled('a method of a single object');
    receiver.singletonMethods.set(node.name, method);
  } else if (self === undefined) {
    interpreter.globalMethods.set(node.name, method);
  } else {
    defineIn(self, frame, method);
  }
  return new RubySymbol(node.name);
}

/** `alias`: of a method that is not written here, which can only be one that Puppet's classes have. */
export function aliasMethod(self: RubyModule, to: string, from: string, frame: Frame): Value {
  const isSingleton = frame.definitions === 'singleton';
  const method = isSingleton ? self.findSingletonMethod(from) : self.findMethod(from);
  if (method !== undefined) defineIn(self, frame, { ...method, name: to });
  else if (isSingleton) throw new Unmodelled(`an alias of the method self.${from}`);
  return null;
}

function defineIn(self: RubyModule, frame: Frame, method: RubyMethod): void {
  if (frame.definitions === 'singleton') {
    self.singletonMethods.set(method.name, method);
    return;
  }
  self.methods.set(method.name, method);
  if (self.visibility === 'module_function') self.singletonMethods.set(method.name, method);
}

function evaluateBody(
  body: RubyNode | null,
  module: RubyModule,
  frame: Frame,
  interpreter: Interpreter,
): Value {
  module.visibility = 'public';
  return interpreter.evaluate(body, {
    ...frame,
    self: module,
    definitions: 'instance',
    modules: [module, ...frame.modules],
    locals: new Locals(),
  });
}

/** True when it only holds other classes and modules, and so does not change the class that it opens. */
function isNamespace(body: RubyNode | null): boolean {
  const statements = isRubyNode(body, 'StatementsNode') ? body.body : [body];
  return statements.every((node) => isRubyNode(node, 'ClassNode') || isRubyNode(node, 'ModuleNode'));
}

/** The module of a name: as it was, or a new one. */
function open(
  { body, constantPath }: RubyNodeOf<'ModuleNode'> | RubyNodeOf<'ClassNode'>,
  superclass: RubyModule | undefined,
  frame: Frame,
  interpreter: Interpreter,
): RubyModule {
  const { container, name } = placeOf(constantPath, frame, interpreter);
  const constants = container?.constants ?? interpreter.constants;
  const known = constants.get(name);
  if (known instanceof RubyModule) return known;
  if (known !== undefined) throw new Unmodelled(`the constant ${name}, opened as a module`);
  const fullName = container === undefined ? name : `${container.path}::${name}`;
  if (CLOSED.test(fullName) && !isNamespace(body)) throw new Unmodelled(`${fullName}, opened again`);
  // Puppet's own modules stay open: what is not defined here is still there.
  const isForeign = superclass === undefined && (fullName === 'Puppet' || fullName.startsWith('Puppet::'));
  const module = isForeign
    ? interpreter.foreign(fullName)
    : new RubyModule(fullName, {
        isForeign: false,
        ...(superclass === undefined ? {} : { superclass }),
      });
  constants.set(name, module);
  return module;
}

function placeOf(
  path: RubyNode,
  frame: Frame,
  interpreter: Interpreter,
): { readonly container: RubyModule | undefined; readonly name: string } {
  if (isRubyNode(path, 'ConstantReadNode')) return { container: frame.modules[0], name: path.name };
  if (!isRubyNode(path, 'ConstantPathNode')) throw new Unmodelled(path.kind);
  if (path.parent === null) return { container: undefined, name: path.name };
  const container = isRubyNode(path.parent, 'ConstantReadNode')
    ? readConstant(path.parent.name, frame, interpreter)
    : interpreter.evaluate(path.parent, frame);
  if (!(container instanceof RubyModule)) throw new Unmodelled('a module inside something unknown');
  return { container, name: path.name };
}
