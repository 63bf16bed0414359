/** What is known while a template or a function is compiled. */

import type { RubyNode } from '../../../lib/ruby-syntax/index.ts';
import type { Profile } from '../profiles/profile.ts';
import type { Code } from '../run.ts';
import { GiveUp, giveUp, type Jump } from '../signals.ts';
import { lowerers } from './lowerers.ts';
import { names } from './node.ts';

/** Names of local variables that are visible together; slots belong to the frame around all of them. */
export interface Names {
  readonly slots: Map<string, number>;
  readonly outer: Names | undefined;
  /** Of a proc, which may be called when the block around it has gone on to its next turn. */
  readonly isProc: boolean;
}

/** What `next`, `break` and `return` inside it belong to. */
export interface JumpTarget {
  readonly kind: 'block' | 'loop' | 'method' | 'proc' | 'lambda';
  readonly uses: Set<Jump['kind']>;
}

/** What may end what; other jumps leave it, or are errors. */
const JUMPS: Readonly<Record<JumpTarget['kind'], readonly Jump['kind'][]>> = {
  block: ['next', 'break'],
  loop: ['next', 'break'],
  method: ['return'],
  proc: ['next'],
  lambda: ['next', 'return'],
};

/** What was lowered with local variables of its own. */
export interface WithLocals<T> {
  readonly result: T;
  /** Of its variables. */
  readonly slots: readonly number[];
  /** Where the slots begin and end of all that it contains. */
  readonly start: number;
  readonly end: number;
}

/** What a `return` may mean; out of a proc it is the method around it, which may have ended. */
const RETURNED_FROM: ReadonlySet<JumpTarget['kind']> = new Set(['method', 'proc', 'lambda']);

const NO_NAMES: Names = { slots: new Map(), outer: undefined, isProc: false };

export class Lowering {
  readonly profile: Profile;
  readonly texts: readonly string[];
  readonly ownedStrings: ReadonlySet<string>;
  readonly definedMethods: ReadonlySet<string>;
  private readonly placeInMethod: ((offset: number) => string) | undefined;
  private visible: Names = NO_NAMES;
  private frameSize = 0;
  private readonly targets: JumpTarget[] = [];

  constructor(parts: {
    readonly texts: readonly string[];
    readonly ownedStrings: ReadonlySet<string>;
    readonly definedMethods: ReadonlySet<string>;
    readonly profile: Profile;
    readonly placeOf?: (offset: number) => string;
  }) {
    this.placeInMethod = parts.placeOf;
    this.profile = parts.profile;
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
    let isInProc = false;
    for (let scope: Names | undefined = this.visible; scope !== undefined; scope = scope.outer) {
      const slot = scope.slots.get(name);
      // A proc has the variables of that very turn, which are overwritten in the next one.
      if (slot !== undefined && isInProc && scope.outer !== NO_NAMES)
        giveUp('a variable of the block around a proc');
      if (slot !== undefined) return slot;
      isInProc ||= scope.isProc;
    }
    return giveUp(`the local variable ${name}`);
  }

  /** Lowers what has local variables of its own. */
  within<T>(node: RubyNode, lower: () => T, isProc = false): WithLocals<T> {
    const outer = this.visible;
    const slots = new Map<string, number>();
    const start = this.frameSize;
    for (const name of names(node, 'locals')) {
      slots.set(name, this.frameSize);
      this.frameSize += 1;
    }
    this.visible = { slots, outer, isProc };
    try {
      return { result: lower(), slots: [...slots.values()], start, end: this.frameSize };
    } finally {
      this.visible = outer;
    }
  }

  /** Lowers a method, which sees no variable from outside. */
  inMethod<T>(node: RubyNode, lower: () => T): WithLocals<T> {
    const [outer, size] = [this.visible, this.frameSize];
    this.visible = NO_NAMES;
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
    const isInBlock = this.targets.some(({ kind }) => kind !== 'method' && kind !== 'loop');
    if (this.placeInMethod === undefined || isInBlock) return giveUp('such a place');
    return this.placeInMethod(offset);
  }

  /** Notes a jump with what it ends. */
  noteJump(kind: Jump['kind']): void {
    const target =
      kind === 'return' ? this.targets.findLast((one) => RETURNED_FROM.has(one.kind)) : this.targets.at(-1);
    if (target === undefined || !JUMPS[target.kind].includes(kind)) giveUp(`a ${kind} out of the template`);
    target.uses.add(kind);
  }
}
