/**
 * A block that runs beside others: one element of `parallelize()`, one `background()`.
 *
 * The evaluator is synchronous, so a block cannot stop in the middle and go on later. It is evaluated again from its
 * start instead, each time that something that it waits for has come; everything that it did or read outside of itself
 * is in its journal, and is not done again.
 */

import type { Value } from '../../pcore/index.ts';
import type { ActionOutcome } from './plan-host.ts';

export type JournalEntry =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'thrown'; readonly error: unknown }
  | { readonly kind: 'action'; readonly id: number; outcome: ActionOutcome | undefined }
  | { readonly kind: 'fork'; readonly branches: readonly Branch[] };

/** Thrown through the evaluator by a block that has to wait. Nothing but the scheduler catches it. */
export class Suspended {
  readonly isReady: () => boolean;
  constructor(isReady: () => boolean) {
    this.isReady = isReady;
  }
}

/** Thrown through the evaluator when a mistake in a block ends the whole plan: nothing in the plan can catch it. */
export class PlanEnded {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}

export type BranchState =
  | { readonly kind: 'waiting'; readonly isReady: () => boolean }
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'failed'; readonly error: unknown };

export class Branch {
  readonly id: number;
  readonly name: string;
  /** The plan that it was started in: `wait()` without arguments waits for those of its plan. */
  readonly plan: number;
  readonly evaluate: () => Value;
  readonly journal: JournalEntry[] = [];
  /** How far the present evaluation has come in the journal. */
  cursor = 0;
  state: BranchState = { kind: 'waiting', isReady: () => true };

  constructor(options: Pick<Branch, 'id' | 'name' | 'plan' | 'evaluate'>) {
    this.id = options.id;
    this.name = options.name;
    this.plan = options.plan;
    this.evaluate = options.evaluate;
  }

  get isEnded(): boolean {
    return this.state.kind !== 'waiting';
  }
}
