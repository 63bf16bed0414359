/** The variables of one evaluation of a class, define, function, lambda or template. */

import type { ByteString, Value } from '../../pcore/index.ts';
import type { Layout } from './layout.ts';
import { type PendingParameters, refuseUnevaluated } from './pending-parameters.ts';
import type { Scope } from './scope.ts';

/** What a regular expression captured: `$0`, `$1`, ... */
export type MatchGroups = readonly (string | ByteString | undefined)[];

export class Frame {
  readonly scope: Scope;
  readonly layout: Layout;
  readonly slots: (Value | undefined)[];
  /** The frame around a lambda or an open template; `undefined` for the frame of a scope. */
  readonly outer: Frame | undefined;
  match: MatchGroups | undefined;
  /** Variables whose names no code mentions: facts, metaparameters, what templates are given. */
  extra: Map<string, Value> | undefined;
  /** What a template has rendered so far. */
  output: Value[] | undefined;

  /** While the default of a parameter is evaluated in this frame. */
  pending: PendingParameters | undefined;

  constructor(scope: Scope, layout: Layout, outer: Frame | undefined) {
    this.scope = scope;
    this.layout = layout;
    // oxlint-disable-next-line unicorn/no-new-array -- of the right size at once: one that grows takes three times as much
    this.slots = new Array<Value | undefined>(layout.size);
    this.outer = outer;
    this.match = outer?.match;
  }

  /** A variable of this very frame. */
  getLocal(name: string): Value | undefined {
    const slot = this.layout.slotOf(name);
    const value = slot === undefined ? undefined : this.slots[slot];
    return value ?? (value === null ? null : this.extra?.get(name));
  }

  hasLocal(name: string): boolean {
    return this.getLocal(name) !== undefined;
  }

  setLocal(name: string, value: Value): void {
    const slot = this.layout.slotOf(name);
    if (slot !== undefined) this.slots[slot] = value;
    else (this.extra ??= new Map()).set(name, value);
  }

  /** A variable as code in this frame sees it; `undefined` when there is none. */
  find(name: string): Value | undefined {
    const value = this.getLocal(name);
    if (value !== undefined) return value;
    return this.outer === undefined ? this.scope.findOutside(name) : this.outer.find(name);
  }

  /** As `find`, for code that reads a variable: in the default of a parameter, not those without a value. */
  read(name: string): Value | undefined {
    const value = this.getLocal(name);
    if (value !== undefined) return value;
    if (this.pending !== undefined) refuseUnevaluated(name, this.pending, this);
    return this.outer === undefined ? this.scope.readOutside(name) : this.outer.read(name);
  }

  *localNames(): Iterable<string> {
    for (const name of this.layout.names()) if (this.hasLocal(name)) yield name;
    if (this.extra !== undefined) yield* this.extra.keys();
  }
}
