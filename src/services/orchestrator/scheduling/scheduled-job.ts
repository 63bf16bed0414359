/** What is scheduled, and what keeps it. */

import type { Json, JsonObject } from '../../../lib/json.ts';
import type { Change } from '../../../platform/changes/index.ts';
import type { Actor } from '../actor.ts';
import type { JobOwner } from '../jobs/job.ts';
import type { DeployOrder, TaskOrder } from '../orchestrator.ts';
import type { Schedule } from './schedule.ts';

/** A plan that is to be run. */
export interface PlanOrder {
  readonly plan: string;
  readonly environment: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

/** Runs plans. */
export interface PlanTerminus {
  /** @returns names of parameters that may not be shown @throws ServiceError when there is no such plan */
  sensitiveParameters(order: PlanOrder): Promise<readonly string[]>;
  /** @param key - a second run with the same key of the same owner is the first one @returns the number of the plan job */
  run(order: PlanOrder, actor: Actor, key: string): Promise<number>;
}

export type ScheduledOrder =
  | { readonly type: 'task'; readonly order: TaskOrder }
  | { readonly type: 'deploy'; readonly order: DeployOrder }
  | { readonly type: 'plan'; readonly order: PlanOrder };

export type ScheduledType = ScheduledOrder['type'];

/** The last time that a scheduled job was due. */
export interface LastRun {
  readonly at: number;
  /** The number of the job, or of the plan job. */
  readonly job?: number;
  /** Why none was started. */
  readonly error?: string;
}

export interface ScheduledJob {
  readonly id: number;
  readonly type: ScheduledType;
  readonly owner: JobOwner;
  readonly schedule: Schedule;
  /** When it runs next, if it is enabled. */
  readonly scheduledAt: Date;
  readonly isEnabled: boolean;
  readonly lastRun: LastRun | undefined;
  /** `undefined` when it was stored with a key that is no longer there. */
  readonly order: ScheduledOrder | undefined;
  /** What the API shows of the request: sensitive values are left out. */
  readonly shown: Readonly<Record<string, Json>>;
}

export type NewScheduledJob = Pick<ScheduledJob, 'owner' | 'schedule' | 'scheduledAt' | 'shown'> & {
  readonly order: ScheduledOrder;
};

export interface ScheduleStore {
  /** @param change - its object has a token for an id, in whose place the number comes */
  add(job: NewScheduledJob, change: Change): Promise<number>;
  /** The next first. */
  all(): Promise<readonly ScheduledJob[]>;
  /** What came of its times, the last first; those of long ago are forgotten. */
  runs(id: number): Promise<readonly LastRun[]>;
  /** @returns whether it was there */
  remove(id: number, change: Change): Promise<boolean>;
  /** @returns whether it was there */
  update(
    id: number,
    values: Pick<ScheduledJob, 'schedule' | 'scheduledAt' | 'isEnabled'>,
    change: Change,
  ): Promise<boolean>;
  /**
   * Moves a job on to its next time and remembers what came of this one, or removes it when there is none; nothing when it was due at
   * another time than it was found with.
   */
  pass(
    job: Pick<ScheduledJob, 'id' | 'scheduledAt'>,
    next: Date | undefined,
    lastRun: LastRun,
  ): Promise<void>;
}
