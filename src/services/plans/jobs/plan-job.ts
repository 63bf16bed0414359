/** A plan that somebody asked for. */

import type { Json, JsonObject } from '../../../lib/json.ts';
import type { Author } from '../../../platform/changes/index.ts';

export interface PlanOwner {
  readonly id: string;
  readonly login: string;
}

/** Who asks now, for the record of who changed what. */
export interface PlanActor extends PlanOwner {
  readonly author: Author;
}

export type PlanJobState = 'running' | 'success' | 'failure';

export interface NewPlanJob {
  readonly owner: PlanOwner;
  readonly plan: string;
  readonly environment: string;
  readonly description: string;
  /** Without the values of sensitive ones. */
  readonly parameters: JsonObject;
  readonly createdAt: Date;
  /** Names a request that may come twice. */
  readonly startKey?: string;
}

export interface PlanJob extends Omit<NewPlanJob, 'startKey'> {
  readonly id: number;
  readonly state: PlanJobState;
  /** What the plan returned, or `{kind, msg, details}` of its failure; `undefined` while it runs. */
  readonly result: Json | undefined;
  readonly finishedAt: Date | undefined;
}

export type PlanEventType =
  | 'apply_start'
  | 'command_start'
  | 'download_start'
  | 'out_message'
  | 'plan_end'
  | 'plan_failed'
  | 'plan_finished'
  | 'plan_start'
  | 'script_start'
  | 'task_start'
  | 'upload_start'
  | 'wait_start';

export interface NewPlanEvent {
  readonly type: PlanEventType;
  readonly at: Date;
  readonly details: JsonObject;
}

export interface StoredPlanEvent extends NewPlanEvent {
  readonly id: number;
}
