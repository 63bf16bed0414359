/** Where code is: its `self`, its variables, the modules around it. */

import type { RubyProc } from '../values/ruby-values.ts';
import type { RubyModule } from './ruby-module.ts';
import type { Value } from './values.ts';

/** Variables of a method or block, with those of the blocks around it. */
export class Locals {
  private readonly values = new Map<string, Value>();
  private readonly outer: Locals | undefined;

  constructor(outer?: Locals) {
    this.outer = outer;
  }

  get(name: string): Value {
    return this.find(name)?.values.get(name) ?? null;
  }

  set(name: string, value: Value): void {
    (this.find(name) ?? this).values.set(name, value);
  }

  /** Sets a parameter, which hides an outer variable of the name. */
  declare(name: string, value: Value): void {
    this.values.set(name, value);
  }

  private find(name: string): Locals | undefined {
    return this.values.has(name) ? this : this.outer?.find(name);
  }
}

export interface Frame {
  /** `undefined` for the program itself. */
  readonly self: RubyModule | undefined;
  /** Where `def` puts methods; differs from `self` in `class << self`. */
  readonly definitions: 'instance' | 'singleton';
  /** The innermost first. */
  readonly modules: readonly RubyModule[];
  readonly locals: Locals;
  /** What `yield` calls. */
  readonly block: RubyProc | undefined;
  /** Logical path of the file. */
  readonly file: string;
}
