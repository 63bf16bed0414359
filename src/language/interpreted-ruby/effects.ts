/** What code does that cannot be done twice. */

import type { Value } from '../pcore/index.ts';
import { giveUp } from './signals.ts';

/** `message`: what is logged changes no answer to anybody's question. */
export type EffectKind = 'message' | 'change';

/**
 * Code that may be given up must not have done anything by then. So it does nothing while it runs: what it wants done
 * is put off until its end, and whoever asks for something that this could change is given up.
 */
export interface Effects {
  /** @throws GiveUp where such a thing cannot be put off */
  defer(kind: EffectKind, effect: () => void): void;
  /**
   * Sets a variable of the calling scope, for code under the same effects.
   *
   * @param prepare - checks that it can be set, and makes what sets it in the end; called before that
   */
  setVariable(name: string, value: Value, prepare: () => () => void): void;
  /** What was set here; a later change of the value is seen. */
  readonly variables: ReadonlyMap<string, Value>;
  /** @throws GiveUp when something was put off: the answer might be another one afterwards */
  beforeQuestion(): void;
  /** As `beforeQuestion`, for a variable that was not set here. */
  beforeLookup(name: string): void;
}

const NO_VARIABLES: ReadonlyMap<string, Value> = new Map();

/** For code that must not have any. */
export const NO_EFFECTS: Effects = {
  defer: () => giveUp('something that cannot be done twice'),
  setVariable: () => giveUp('a variable that is set'),
  variables: NO_VARIABLES,
  beforeQuestion: () => {
    // Nothing was put off.
  },
  beforeLookup: () => {
    // Nothing was put off.
  },
};

export class DeferredEffects implements Effects {
  private readonly allowed: EffectKind;
  private pending: (() => void)[] = [];
  private set: Map<string, Value> | undefined;
  private prepared: (() => () => void)[] = [];
  private hasChanges = false;

  /** @param allowed - `message`: nothing else is put off, but variables; none of that can fail */
  constructor(allowed: EffectKind) {
    this.allowed = allowed;
  }

  get variables(): ReadonlyMap<string, Value> {
    return this.set ?? NO_VARIABLES;
  }

  defer(kind: EffectKind, effect: () => void): void {
    if (kind === 'change') {
      if (this.allowed !== 'change') giveUp('something that cannot be done twice');
      this.hasChanges = true;
    }
    this.pending.push(effect);
  }

  setVariable(name: string, value: Value, prepare: () => () => void): void {
    this.set ??= new Map();
    if (this.hasChanges || this.set.has(name)) giveUp('a variable that is set twice');
    this.set.set(name, value);
    this.prepared.push(prepare);
  }

  beforeQuestion(): void {
    if (this.hasChanges || this.set !== undefined) giveUp('a question after something was done');
  }

  beforeLookup(name: string): void {
    const last = name.slice(name.lastIndexOf(':') + 1);
    if (this.hasChanges || this.set?.has(last) === true) giveUp('a question after something was done');
  }

  /** Does what was put off, in order; an error ends it. @throws GiveUp before anything is done */
  perform(): void {
    if (this.pending.length === 0 && this.prepared.length === 0) return;
    const all = [...this.prepared.map((prepare) => prepare()), ...this.pending];
    this.pending = [];
    this.prepared = [];
    for (const effect of all) effect();
  }
}
