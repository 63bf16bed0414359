/** What keeps jobs: they survive whatever happens to the process. */

import type { Change } from '../../platform/changes/index.ts';
import type { Action, Outcome } from './jobs/action.ts';
import type { AgentRequest, Job, JobDefinition, NodeCounts } from './jobs/job.ts';
import type { JobEvent } from './jobs/job-event.ts';
import type { OutputOffsets } from './jobs/node-output.ts';
import type { JobState } from './jobs/states.ts';

/** A job that is to be. */
export interface JobOrder {
  readonly definition: JobDefinition;
  /** Certnames, each once, by level. */
  readonly levels: readonly (readonly string[])[];
  readonly request: AgentRequest;
  readonly createdAt: number;
  /** Used once: by it the rows of one order find each other. */
  readonly token: string;
  /** Recorded with the job; its object has the token for an id. */
  readonly change: Change;
}

/** A job that has not ended, with its nodes that have not. */
export interface OpenJob {
  readonly job: Job;
  /** `undefined` when it was closed with a key that is no longer there. */
  readonly request: AgentRequest | undefined;
  readonly actions: readonly Action[];
  readonly counts: NodeCounts;
}

export interface JobChange {
  readonly job: Job;
  /** Nodes of it that have changed; what is not stored of them (`watch`) is passed over. */
  readonly actions: readonly Action[];
  readonly events: readonly JobEvent[];
  readonly recorded: readonly Change[];
}

/**
 * Who may carry jobs on: the last one who took hold. Its number is greater than those of all before, and goes with each write.
 */
export interface RunnerStore {
  takeHold(): Promise<number>;
  /** Jobs that have not ended, the oldest first. */
  openJobs(): Promise<readonly OpenJob[]>;
  /** @returns the job of an earlier order with the same idempotency key of the same owner, if any */
  add(order: JobOrder): Promise<{ readonly id: number; readonly isNew: boolean }>;
  /**
   * All changes or none.
   *
   * @throws ServiceError `conflict` when somebody else has taken hold since; `unavailable` when it can be tried again
   */
  save(hold: number, changes: readonly JobChange[]): Promise<void>;
  /** How much of a node's output is stored. */
  outputOffsets(id: number, certname: string): Promise<OutputOffsets>;
}

/** Where a node of a job is. */
export interface NodeKey {
  readonly certname: string;
  readonly level: number;
  readonly state: Action['state'];
  readonly startedAt: Date | undefined;
  readonly finishedAt: Date | undefined;
  /** Length of the outcome as JSON, without a large result; 0 while there is no outcome. */
  readonly outcomeLength: number;
}

/** A node of a job, as the API shows it. */
export interface JobNode extends NodeKey {
  readonly outcome: Outcome | undefined;
  /** Of the result that `outcome` is without; absent where it has its result. */
  readonly largeResultBytes?: number;
}

export interface StoredEvent extends JobEvent {
  readonly id: number;
}

/** A job and where its nodes are. */
export interface JobOverview {
  readonly job: Job;
  readonly counts: NodeCounts;
}

export type JobOrderKey = 'owner' | 'timestamp' | 'environment' | 'name' | 'state';

export interface JobPage {
  readonly limit: number | undefined;
  readonly offset: number;
  readonly orderBy: JobOrderKey;
  readonly isDescending: boolean;
  readonly type: JobDefinition['type'] | undefined;
  readonly task: string | undefined;
  readonly state: JobState | undefined;
  /** Jobs that ended then or later. */
  readonly finishedFrom: Date | undefined;
  readonly finishedUntil: Date | undefined;
}

/** Which nodes of a job somebody wants to see. */
export interface NodePage {
  readonly limit: number | undefined;
  readonly offset: number;
  readonly orderBy: NodeOrderKey;
  readonly isDescending: boolean;
  readonly state: JobNode['state'] | undefined;
}

export type NodeOrderKey = 'name' | 'duration' | 'state' | 'start_timestamp' | 'finish_timestamp';
