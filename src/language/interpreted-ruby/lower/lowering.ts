/** What is known while a template or a function is compiled. */

import type { RubyNode } from '../../../lib/ruby-syntax/index.ts';
import type { Code } from '../run.ts';
import { GiveUp, giveUp, type Jump } from '../signals.ts';
import { lowerers } from './lowerers.ts';
import { names } from './node.ts';

/** Names of local variables that are visible together; slots belong to the frame around all of them. */
export interface Names {
  readonly slots: Map<string, number>;
  readonly outer: Names | undefined;
}

/** What `next`, `break` and `return` inside it belong to. */
export interface JumpTarget {
  readonly kind: 'block' | 'loop' | 'method';
  readonly uses: Set<Jump['kind']>;
}

/** What `self` is: the object that renders a template, a scope (functions of the older kind), a function. */
export type SelfKind = 'template' | 'scope' | 'function';

export class Lowering {
  readonly self: SelfKind;
  readonly texts: readonly string[];
  readonly ownedStrings: ReadonlySet<string>;
  readonly definedMethods: ReadonlySet<string>;
  private readonly placeInMethod: ((offset: number) => string) | undefined;
  private visible: Names = { slots: new Map(), outer: undefined };
  private frameSize = 0;
  private readonly targets: JumpTarget[] = [];

  constructor(parts: {
    readonly texts: readonly string[];
    readonly ownedStrings: ReadonlySet<string>;
    readonly definedMethods: ReadonlySet<string>;
    readonly self: SelfKind;
    readonly placeOf?: (offset: number) => string;
  }) {
    this.placeInMethod = parts.placeOf;
    this.self = parts.self;
    this.texts = parts.texts;
    this.ownedStrings = parts.ownedStrings;
    this.definedMethods = parts.definedMethods;
  }

  /** @throws GiveUp for what is not modelled */
  lower(node: RubyNode): Code {
    const lowerer = lowerers.get(node.kind);
    try {
      if (lowerer !== undefined) return lowerer(node, this);
      return giveUp(`${node.kind.replace(/Node$/, '')} is not modelled`);
    } catch (error) {
      if (!(error instanceof GiveUp)) throw error;
      // Perhaps it is never run, and if it is, nothing is lost.
      return () => {
        throw error;
      };
    }
  }

  lowerOptional(node: RubyNode | null | undefined): Code {
    return node === null || node === undefined ? () => null : this.lower(node);
  }

  slot(name: string): number {
    for (let scope: Names | undefined = this.visible; scope !== undefined; scope = scope.outer) {
      const slot = scope.slots.get(name);
      if (slot !== undefined) return slot;
    }
    return giveUp(`the local variable ${name}`);
  }

  /** Lowers what has local variables of its own. @returns with the slots of these */
  within<T>(node: RubyNode, lower: () => T): { readonly result: T; readonly slots: readonly number[] } {
    const outer = this.visible;
    const slots = new Map<string, number>();
    for (const name of names(node, 'locals')) {
      slots.set(name, this.frameSize);
      this.frameSize += 1;
    }
    this.visible = { slots, outer };
    try {
      return { result: lower(), slots: [...slots.values()] };
    } finally {
      this.visible = outer;
    }
  }

  /** Lowers a method, which sees no variable from outside. */
  inMethod<T>(node: RubyNode, lower: () => T): { readonly result: T; readonly slots: readonly number[] } {
    const [outer, size] = [this.visible, this.frameSize];
    this.visible = { slots: new Map(), outer: undefined };
    this.frameSize = 0;
    try {
      return this.within(node, lower);
    } finally {
      this.visible = outer;
      this.frameSize = size;
    }
  }

  /** Lowers something that jumps may end. */
  targeted<T>(kind: JumpTarget['kind'], lower: () => T): { readonly result: T; readonly target: JumpTarget } {
    const target: JumpTarget = { kind, uses: new Set() };
    this.targets.push(target);
    try {
      return { result: lower(), target };
    } finally {
      this.targets.pop();
    }
  }

  /** A place in the method as backtraces have it, without the file: ``12:in `name'``. */
  placeOf({ offset }: RubyNode): string {
    const isInBlock = this.targets.some(({ kind }) => kind === 'block');
    if (this.placeInMethod === undefined || isInBlock) return giveUp('such a place');
    return this.placeInMethod(offset);
  }

  /** Notes a jump with what it ends. */
  noteJump(kind: Jump['kind']): void {
    const target =
      kind === 'return' ? this.targets.findLast((one) => one.kind === 'method') : this.targets.at(-1);
    if (target === undefined || (target.kind === 'method' && kind !== 'return'))
      giveUp(`a ${kind} out of the template`);
    target.uses.add(kind);
  }
}
