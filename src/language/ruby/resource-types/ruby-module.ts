/** Ruby's modules and classes while a type's file is interpreted: those of the file, and those that it only names. */

import type { RubyNode } from '../../../lib/ruby-syntax/index.ts';
import { OpaqueValue } from '../../pcore/index.ts';
import type { Frame } from './frame.ts';
import type { Value, WrittenProc } from './values.ts';

/** A method in Ruby, as written. */
export interface RubyMethod {
  readonly name: string;
  readonly parameters: RubyNode | null;
  readonly body: RubyNode | null;
  /** The modules around the definition, for constants. */
  readonly frame: Frame;
  readonly isPublic: boolean;
  /** Made by `define_method`: its parameters and body are this block's. */
  readonly block?: WrittenProc;
}

export class RubyModule extends OpaqueValue {
  /** `Puppet::Type::File`; empty for what has no name. */
  readonly path: string;
  readonly constants = new Map<string, Value>();
  readonly singletonMethods = new Map<string, RubyMethod>();
  readonly methods = new Map<string, RubyMethod>();
  readonly instanceVariables = new Map<string, Value>();
  /** Modules that were extended with, the last first. */
  readonly extensions: RubyModule[] = [];
  /** Modules that were included, the last first. */
  readonly inclusions: RubyModule[] = [];
  superclass: RubyModule | undefined;
  /** Something that is defined elsewhere: in Puppet, in Ruby's library, or nowhere. */
  readonly isForeign: boolean;
  /** What `private` and its like said last; `module_function` makes methods both. */
  visibility: 'public' | 'private' | 'module_function' = 'public';

  constructor(path: string, options: { readonly isForeign: boolean; readonly superclass?: RubyModule }) {
    super();
    this.path = path;
    this.isForeign = options.isForeign;
    this.superclass = options.superclass;
  }

  equalityKey(): string {
    return `RubyModule:${this.path}`;
  }

  /** A method that the module itself answers to. */
  findSingletonMethod(name: string): RubyMethod | undefined {
    const own = this.singletonMethods.get(name);
    if (own !== undefined) return own;
    for (const extension of this.extensions) {
      const found = extension.findMethod(name);
      if (found !== undefined) return found;
    }
    return this.superclass?.findSingletonMethod(name);
  }

  /** A method of instances. */
  findMethod(name: string): RubyMethod | undefined {
    const own = this.methods.get(name);
    if (own !== undefined) return own;
    for (const inclusion of this.inclusions) {
      const found = inclusion.findMethod(name);
      if (found !== undefined) return found;
    }
    return this.superclass?.findMethod(name);
  }
}

/** A resource type being defined: the body of `newtype`. */
export class TypeClass extends RubyModule {
  readonly name: string;
  readonly properties: AttributeClass[] = [];
  readonly parameters: AttributeClass[] = [];
  isResourceApi = false;

  constructor(name: string) {
    super(`Puppet::Type::${name.charAt(0).toUpperCase()}${name.slice(1)}`, { isForeign: false });
    this.name = name;
  }
}

/** A parameter or property being defined. */
export class AttributeClass extends RubyModule {
  readonly name: string;
  readonly owner: TypeClass;
  isNamevar = false;

  constructor(name: string, owner: TypeClass, superclass: RubyModule) {
    super(`${owner.path}::${name}`, { isForeign: false, superclass });
    this.name = name;
    this.owner = owner;
  }
}
