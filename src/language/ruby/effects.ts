/** What code does that cannot be done twice. */

import type { Value } from '../pcore/index.ts';
import { ChangedValues, type Container } from './changed-values.ts';
import type { Creation } from './creation.ts';
import type { ErbContext } from './erb-context.ts';
import { giveUp } from './signals.ts';

/** `message`: what is logged changes no answer to anybody's question. */
export type EffectKind = 'message' | 'change';

/**
 * Code that may be given up must not have done anything by then. So it does nothing while it runs: what it wants done
 * is put off until its end, and code that asks for something that this could change is given up.
 */
export interface Effects {
  /**
   * @param creation - all that it changes, where that is known
   * @throws GiveUp where such a thing cannot be put off
   */
  defer(kind: EffectKind, effect: () => void, creation?: Creation): void;
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
  /**
   * Code is going to change a list or hash in place that others see.
   *
   * @param context - who can tell them
   * @throws GiveUp where they cannot be told
   */
  beforeChange(value: Container, context: ErbContext): void;
  /** Code has looked at variables of other scopes. */
  noteElsewhere(): void;
  /** As `beforeQuestion`, for a resource of the catalog: others may have been created. */
  beforeFinding(type: string, title: string): void;
  /** As `beforeQuestion`, for types and classes: resources may have been created. */
  beforeTypeQuestion(): void;
  /** As `beforeQuestion`, for a variable that was not set here. */
  beforeLookup(name: string): void;
}

const NO_VARIABLES: ReadonlyMap<string, Value> = new Map();

/** For code that must not have any. */
export const NO_EFFECTS: Effects = {
  defer: () => giveUp('something that cannot be done twice'),
  setVariable: () => giveUp('a variable that is set'),
  variables: NO_VARIABLES,
  beforeChange: () => giveUp('a change of a shared value'),
  noteElsewhere: () => {
    // Nothing is put off.
  },
  beforeQuestion: () => {
    // Nothing was put off.
  },
  beforeFinding: () => {
    // Nothing was put off.
  },
  beforeTypeQuestion: () => {
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
  private hasOnlyCreated = true;
  private readonly creations: Creation[] = [];
  private values: ChangedValues | undefined;
  private holder: ErbContext | undefined;
  private sawElsewhere = false;

  /** @param allowed - `message`: nothing else is put off, but variables; none of that can fail */
  constructor(allowed: EffectKind) {
    this.allowed = allowed;
  }

  get variables(): ReadonlyMap<string, Value> {
    return this.set ?? NO_VARIABLES;
  }

  defer(kind: EffectKind, effect: () => void, creation?: Creation): void {
    if (kind === 'change') {
      if (this.allowed !== 'change') giveUp('something that cannot be done twice');
      this.hasChanges = true;
      if (creation === undefined) this.hasOnlyCreated = false;
      else this.creations.push(creation);
    }
    this.pending.push(effect);
  }

  setVariable(name: string, value: Value, prepare: () => () => void): void {
    this.set ??= new Map();
    if (this.hasChanges || this.set.has(name)) giveUp('a variable that is set twice');
    if (this.values !== undefined) giveUp('a variable that is set after a change');
    this.set.set(name, value);
    this.prepared.push(prepare);
  }

  beforeChange(value: Container, context: ErbContext): void {
    if (context.replaceValues === undefined) giveUp('a change of a shared value');
    // What was put off would see it.
    if (this.hasChanges || this.set !== undefined) giveUp('a change after something was done');
    this.holder ??= context;
    this.values ??= new ChangedValues();
    this.values.keep(value);
  }

  noteElsewhere(): void {
    this.sawElsewhere = true;
  }

  beforeQuestion(): void {
    if (this.hasChanges || this.set !== undefined) giveUp('a question after something was done');
  }

  beforeFinding(type: string, title: string): void {
    this.beforeTypeQuestion();
    const key = type.toLowerCase();
    if (this.creations.some((one) => one.type === key && one.mentions.has(title)))
      giveUp('a question for a resource that is created');
  }

  beforeTypeQuestion(): void {
    if (!this.hasOnlyCreated || this.set !== undefined) giveUp('a question after something was done');
  }

  beforeLookup(name: string): void {
    const last = name.slice(name.lastIndexOf(':') + 1);
    if (this.hasChanges || this.set?.has(last) === true) giveUp('a question after something was done');
  }

  /**
   * Does what was put off, in order; an error ends it.
   *
   * @param result - what the code returns
   * @returns the result as it is known to others
   * @throws GiveUp before anything is done
   */
  perform(result: Value = null): Value {
    const { holder, values } = this;
    const now = values === undefined ? result : values.result(result);
    if (this.pending.length === 0 && this.prepared.length === 0 && values === undefined) return now;
    const changes = values?.results();
    this.revoke();
    const replace = changes === undefined ? undefined : holder?.replaceValues?.(changes, this.sawElsewhere);
    const all = [...this.prepared.map((prepare) => prepare()), ...this.pending];
    this.pending = [];
    this.prepared = [];
    replace?.();
    for (const effect of all) effect();
    return now;
  }

  /** What was changed in place is again as it was. */
  revoke(): void {
    this.values?.putBack();
    this.values = undefined;
  }
}
