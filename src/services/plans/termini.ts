/** What plans need of other services. */

import type { FinishedAction, PlanAction } from '../../language/plans/index.ts';
import type { Json, JsonObject } from '../../lib/json.ts';
import type { PlanSource } from './plan-protocol.ts';

/** An action that takes its time on targets. */
export type TargetAction = Exclude<PlanAction, { readonly kind: 'sleep' }>;

type Outcome = FinishedAction['outcome'];
type Results = Extract<Outcome, { readonly kind: 'results' }>;

/** The outcome of an action on a target; a large value is JSON in UTF-8, which the plan's thread reads. */
export type TargetResult =
  | Results['results'][number]
  | { readonly target: string; readonly json: Uint8Array };

export type ActionOutcome =
  | Exclude<Outcome, Results>
  | { readonly kind: 'results'; readonly results: readonly TargetResult[] };

/** For whom an action is. */
export interface ActionContext {
  readonly environment: string;
  /** Aborted when the plan does not wait for it any more. */
  readonly signal: AbortSignal;
  /** Told once it is under way. @param job - by which people find it */
  readonly started: (job: string | undefined) => void;
}

/** What plans do to the world. */
export interface PlanActions {
  /** Must not reject for what fails on targets, or may not be done: that is an outcome. */
  act(action: TargetAction, context: ActionContext): Promise<ActionOutcome>;
  /** The metadata of a task; `undefined` when there is none of that name. @throws Error for one that cannot be run */
  findTask(environment: string, name: string): Promise<JsonObject | undefined>;
  /** Rows, as PuppetDB answers them. */
  queryPuppetdb(query: Json, signal: AbortSignal): Promise<Json>;
}

export interface AcquiredPlanCode {
  readonly source: PlanSource;
  release(): void;
}

export interface PlanCodeTerminus {
  /** Takes hold of the live version; `undefined` when there is no such environment. */
  acquire(environment: string): AcquiredPlanCode | undefined;
}
