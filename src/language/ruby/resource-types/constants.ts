/** Constants: those that the files define, and names of those defined elsewhere. */

import type { RubyNodeOf } from '../../../lib/ruby-syntax/index.ts';
import type { Frame } from './frame.ts';
import type { Interpreter } from './interpreter.ts';
import { RubyModule, TypeClass } from './ruby-module.ts';
import { Unmodelled } from './unmodelled.ts';
import { Unknown, type Value } from './values.ts';

/** What is called by its short name inside `module Puppet`. */
const INSIDE_PUPPET: ReadonlySet<string> = new Set([
  'Type',
  'Parameter',
  'Property',
  'Provider',
  'Util',
  'ResourceApi',
  'Error',
  'Module',
  'DevError',
  'ResourceError',
]);

export function readConstant(name: string, frame: Frame, interpreter: Interpreter): Value {
  for (const module of frame.modules) {
    const value = constantOf(module, name);
    if (value !== undefined) return value;
  }
  const global = interpreter.constants.get(name);
  if (global !== undefined) return global;
  const isInsidePuppet = frame.modules.some(({ path }) => path === 'Puppet');
  return interpreter.foreign(isInsidePuppet && INSIDE_PUPPET.has(name) ? `Puppet::${name}` : name);
}

export function readConstantPath(
  node: RubyNodeOf<'ConstantPathNode'>,
  frame: Frame,
  interpreter: Interpreter,
): Value {
  if (node.parent === null) return interpreter.constants.get(node.name) ?? interpreter.foreign(node.name);
  return constantIn(interpreter.evaluate(node.parent, frame), node.name, interpreter);
}

/** `parent::NAME` */
export function constantIn(parent: Value, name: string, interpreter: Interpreter): Value {
  if (parent instanceof Unknown) return new Unknown(`${parent.what}::${name}`);
  if (!(parent instanceof RubyModule)) throw new Unmodelled('a constant of something that is no module');
  const value = constantOf(parent, name);
  if (value !== undefined) return value;
  if (parent.isForeign) {
    if (parent.path === 'Puppet' && name === 'PUPPETVERSION') return interpreter.files.puppetVersion;
    const type = parent.path === 'Puppet::Type' ? interpreter.types.get(name.toLowerCase()) : undefined;
    return type ?? interpreter.foreign(`${parent.path}::${name}`);
  }
  // `newparam` and its like define constants for what they make.
  if (parent instanceof TypeClass) return interpreter.foreign(`${parent.path}::${name}`);
  throw new Unmodelled(`the constant ${parent.path}::${name}`);
}

export function writeConstant(name: string, value: Value, frame: Frame, interpreter: Interpreter): Value {
  const [module] = frame.modules;
  const constants = module?.constants ?? interpreter.constants;
  if (constants.has(name)) throw new Unmodelled(`a second value of the constant ${name}`);
  constants.set(name, value);
  return value;
}

function constantOf(module: RubyModule, name: string): Value | undefined {
  const own = module.constants.get(name);
  if (own !== undefined) return own;
  for (const inclusion of module.inclusions) {
    const found = inclusion.constants.get(name);
    if (found !== undefined) return found;
  }
  return module.superclass === undefined ? undefined : constantOf(module.superclass, name);
}
