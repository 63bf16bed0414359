/** The words in which a resource type is written. */

import { isTruthy } from '../arguments.ts';
import type { RubyProc } from '../values/ruby-values.ts';
import type { Call, Methods } from './calls.ts';
import { HARMLESS_CALLS } from './harmless-calls.ts';
import type { Interpreter } from './interpreter.ts';
import { AttributeClass, RubyModule, TypeClass } from './ruby-module.ts';
import { RubyRaise, Unmodelled } from './unmodelled.ts';
import { nameOf, option, RubyHash, RubySymbol, Unknown, type Value } from './values.ts';

/** @returns `undefined` for other methods */
export function typeCall(type: TypeClass, call: Call): Value | undefined {
  const method = typeMethods.get(call.name);
  if (method !== undefined) return method(type, call);
  return HARMLESS_CALLS.has(call.name) ? null : undefined;
}

const typeMethods: Methods<[TypeClass, Call]> = new Map(
  Object.entries<(type: TypeClass, call: Call) => Value | undefined>({
    newparam: (type, { args: [name = null, options], block, interpreter }) =>
      newParameter(type, { name: nameOf(name), options: optionsOf(options), block }, interpreter),
    newproperty: (type, { args: [name = null, options], block, interpreter }) =>
      newProperty(type, { name: nameOf(name), options: optionsOf(options), block }, interpreter),
    ensurable: (type, { block, interpreter }) => ensurable(type, block, interpreter),
    provide: (type, { interpreter }) => providify(type, interpreter),
    providify: (type, { interpreter }) => providify(type, interpreter),
    key_attributes: (type) => keyAttributes(type).map((name) => new RubySymbol(name)),
    properties: (type) => [...type.properties],
    parameters: (type) => type.parameters.map(({ name }) => new RubySymbol(name)),
    name: (type) => new RubySymbol(type.name),
    to_s: (type) => type.path,
    provider: (type) => new Unknown(`a provider of ${type.name}`),
    providers: (type) => new Unknown(`the providers of ${type.name}`),
    'self_refresh=': () => null,
    'doc=': () => null,
  }),
);

/** Defines a type, as `Puppet::Type.newtype` does, without looking for providers. */
export function newType(name: string, block: RubyProc | undefined, interpreter: Interpreter): TypeClass {
  const type = new TypeClass(name.toLowerCase());
  // It can be found by its name while it is being defined.
  interpreter.types.set(type.name, type);
  if (block !== undefined) interpreter.callProc(block, [], type);
  if (isEnsurable(type) && !type.properties.some((property) => property.name === 'ensure')) {
    ensurable(type, undefined, interpreter);
  }
  return type;
}

/** A parameter or a property as a type declares it. */
export interface AttributeDeclaration {
  readonly name: string;
  readonly options?: RubyHash;
  readonly block?: RubyProc | undefined;
}

export function newParameter(
  type: TypeClass,
  declaration: AttributeDeclaration,
  interpreter: Interpreter,
): AttributeClass {
  const { block, options = new RubyHash() } = declaration;
  const attribute = newAttribute(type, declaration, interpreter, 'Puppet::Parameter');
  type.constants.set(`Parameter${constantName(attribute.name)}`, attribute);
  if (block !== undefined) interpreter.callProc(block, [], attribute);
  refuseDuplicate(type.parameters, attribute);
  type.parameters.push(attribute);
  const namevar = option(options, 'namevar');
  if (namevar instanceof Unknown) throw new Unmodelled(`namevar from ${namevar.what}`);
  if (isTruthy(namevar)) attribute.isNamevar = true;
  return attribute;
}

export function newProperty(
  type: TypeClass,
  declaration: AttributeDeclaration,
  interpreter: Interpreter,
): AttributeClass {
  const { block } = declaration;
  const attribute = newAttribute(type, declaration, interpreter, 'Puppet::Property');
  refuseDuplicate(type.properties, attribute);
  type.constants.set(constantName(attribute.name), attribute);
  if (block !== undefined) interpreter.callProc(block, [], attribute);
  if (attribute.name === 'ensure') type.properties.unshift(attribute);
  else type.properties.push(attribute);
  return attribute;
}

function constantName(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Adds the parameter `provider`, which a type has when something provides it. */
export function providify(type: TypeClass, interpreter: Interpreter): Value {
  if (!type.parameters.some(({ name }) => name === 'provider')) {
    newParameter(type, { name: 'provider' }, interpreter);
  }
  return null;
}

/** The parameters that make up a resource's identity, in the order of their definition. */
export function keyAttributes(type: TypeClass): string[] {
  return type.parameters
    .filter(({ isNamevar, name }) => isNamevar || name === 'name')
    .map(({ name }) => name);
}

function ensurable(type: TypeClass, block: RubyProc | undefined, interpreter: Interpreter): AttributeClass {
  const options = new RubyHash();
  options.set(new RubySymbol('parent'), interpreter.foreign('Puppet::Property::Ensure'));
  return newProperty(type, { name: 'ensure', options, block }, interpreter);
}

function isEnsurable(type: TypeClass): boolean {
  return ['exists?', 'create', 'destroy'].every((name) => type.findMethod(name)?.isPublic === true);
}

function newAttribute(
  type: TypeClass,
  { name, options = new RubyHash() }: AttributeDeclaration,
  interpreter: Interpreter,
  defaultParent: string,
): AttributeClass {
  const parent = option(options, 'parent') ?? interpreter.foreign(defaultParent);
  const superclass = parent === null ? interpreter.foreign(defaultParent) : parent;
  if (!(superclass instanceof RubyModule)) throw new Unmodelled(`the parent class of ${name}`);
  if (!isKnownParent(superclass)) throw new Unmodelled(`the parent class ${superclass.path} of ${name}`);
  if (superclass.findSingletonMethod('inherited') !== undefined) throw new Unmodelled('self.inherited');
  return new AttributeClass(name.toLowerCase(), type, superclass);
}

/** True when nothing that it inherits can make a parameter a key attribute. */
function isKnownParent(superclass: RubyModule): boolean {
  if (!superclass.isForeign)
    return superclass.superclass !== undefined && isKnownParent(superclass.superclass);
  return /^Puppet::(Parameter|Property|Type::\w+|ResourceApi|SELFileContext)(::|$)/.test(superclass.path);
}

function optionsOf(options: Value | undefined): RubyHash {
  if (options === undefined || options === null) return new RubyHash();
  if (options instanceof RubyHash) return options;
  throw new Unmodelled('options of an attribute that are not known');
}

function refuseDuplicate(known: readonly AttributeClass[], attribute: AttributeClass): void {
  if (!known.some(({ name }) => name === attribute.name)) return;
  throw new RubyRaise('Puppet::DevError', `The attribute ${attribute.name} is defined twice`);
}
