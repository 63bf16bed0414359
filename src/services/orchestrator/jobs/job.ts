/** A job as a whole: what it is, and its state as its nodes come along. Pure. */

import type { Json } from '../../../lib/json.ts';
import { isJobOver, type JobState, type NodeState } from './states.ts';

/** Those that begin with `plan_` are what plans do. */
export const jobTypes = [
  'deploy',
  'task',
  'command',
  'script',
  'plan_task',
  'plan_command',
  'plan_script',
  'plan_upload',
  'plan_download',
  'plan_apply',
  'plan_apply_prep',
] as const;
export type JobType = (typeof jobTypes)[number];

/** Whether a plan waits for the job. Plans do not survive a restart, so what has not begun by then must not begin. */
export function isOfPlan(type: JobType): boolean {
  return type.startsWith('plan_');
}

/** What takes up the same limits: Puppet runs compile catalogs, everything else does not. */
export type JobLane = 'deploy' | 'task';

export function laneOf(type: JobType): JobLane {
  return type === 'deploy' ? 'deploy' : 'task';
}

/** Who started a job. */
export interface JobOwner {
  readonly id: string;
  readonly login: string;
}

/** What is asked of the agents of all nodes of a job. */
export interface AgentRequest {
  readonly module: string;
  readonly action: string;
  readonly params: Readonly<Record<string, Json>>;
  /** Parameters that differ, made when they are sent. They are not stored, so a restart ends what has not been sent. */
  readonly perNode?: (certname: string) => AgentRequest['params'];
}

/** What does not change during the life of a job. */
export interface JobDefinition {
  readonly type: JobType;
  /** All options of the request, as the API shows them: sensitive values are left out. */
  readonly options: Readonly<Record<string, Json>>;
  readonly environment: string;
  readonly owner: JobOwner;
  readonly description: string;
  /** How many nodes may run at once; unlimited when absent. */
  readonly concurrency?: number;
  /** When more nodes have failed, nothing more begins; no limit when absent. */
  readonly mostFailures?: number;
  /** Present where nodes have an order: in how many levels they run, one after the other. */
  readonly levelCount?: number;
  /** Names a request that may be sent twice. */
  readonly idempotencyKey?: string;
}

export interface JobStatus {
  readonly state: JobState;
  readonly enteredAt: number;
  readonly leftAt?: number;
}

export interface Job {
  /** Grows, and never comes again. */
  readonly id: number;
  readonly definition: JobDefinition;
  /** Every state that it was in, the present one last. */
  readonly statuses: readonly JobStatus[];
}

/** How many nodes are in each state. */
export type NodeCounts = Readonly<Record<NodeState, number>>;

export function stateOf({ statuses }: Pick<Job, 'statuses'>): JobState {
  return statuses.at(-1)?.state ?? 'new';
}

export function newStatuses(now: number): readonly JobStatus[] {
  return [{ state: 'new', enteredAt: now }];
}

/** @returns the same job when it is in that state already */
export function enter(job: Job, state: JobState, now: number): Job {
  if (stateOf(job) === state) return job;
  const before = job.statuses.map((status, index) =>
    index === job.statuses.length - 1 ? { ...status, leftAt: now } : status,
  );
  return { ...job, statuses: [...before, { state, enteredAt: now }] };
}

/** The job after a change of its nodes. */
export function follow(job: Job, counts: NodeCounts, now: number): Job {
  const state = stateOf(job);
  if (isJobOver(state)) return job;
  const open = counts.new + counts.ready + counts.running;
  const ended = counts.finished + counts.failed + counts.errored + counts.skipped;
  const isUnderWay = counts.ready + counts.running + ended > 0 || open === 0;
  const moved = state !== 'stopping' && isUnderWay ? enter(job, 'running', now) : job;
  if (open > 0) return moved;
  if (state === 'stopping') return enter(moved, 'stopped', now);
  return enter(moved, counts.failed + counts.errored > 0 ? 'failed' : 'finished', now);
}
