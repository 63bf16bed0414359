/** Plans of the live code, and plans that were run. */

import { get, post } from './client.ts';
import { codePath } from './tasks.ts';

const root = '/orchestrator/v1';

export interface ListedPlan {
  readonly name: string;
  readonly permitted: boolean;
}

export interface PlanParameter {
  readonly type: string;
  readonly default_value?: unknown;
  readonly description?: string;
  readonly sensitive: boolean;
}

export interface PlanDetails extends ListedPlan {
  readonly metadata: {
    readonly description?: string;
    readonly parameters: Readonly<Record<string, PlanParameter>>;
  };
}

export async function readPlans(environment: string, signal: AbortSignal): Promise<readonly ListedPlan[]> {
  return (await get<{ readonly items: readonly ListedPlan[] }>(`${root}/plans`, { environment }, signal))
    .items;
}

/** @throws ApiError 404 for one that the environment doesn't have, 400 for one that can't be read */
export async function readPlan(name: string, environment: string, signal: AbortSignal): Promise<PlanDetails> {
  return await get(`${root}/plans/${codePath(name)}`, { environment }, signal);
}

/** A value, or a query for the nodes that are the value. */
export type PlanValue =
  | { readonly value: unknown }
  | { readonly type: 'query' | 'node_group'; readonly value: string };

export interface PlanRun {
  readonly plan_name: string;
  readonly environment: string;
  readonly params: Readonly<Record<string, PlanValue>>;
}

/** @returns the number of the plan job */
export async function startPlan(run: PlanRun): Promise<string> {
  const path = `${root}/command/environment_plan_run`;
  return (await post<{ readonly name: string }>(path, run))?.name ?? '';
}

/** Ends a plan where it is. */
export async function stopPlan(id: string): Promise<void> {
  await post(`${root}/command/stop_plan`, { plan_job: id });
}

export interface PlanJob {
  /** Its number. */
  readonly name: string;
  readonly state: 'running' | 'success' | 'failure';
  readonly options: {
    readonly description: string;
    readonly plan_name: string;
    readonly environment: string;
    /** Without sensitive ones. */
    readonly parameters: Readonly<Record<string, unknown>>;
  };
  readonly result: unknown;
  readonly owner: { readonly login: string };
  readonly created_timestamp: string;
  readonly finished_timestamp: string | null;
}

interface PlanJobsPage {
  readonly items: readonly PlanJob[];
  readonly pagination: { readonly total: number };
}

/** The newest first. */
export async function readPlanJobs(
  page: { readonly limit: number; readonly offset: number },
  signal: AbortSignal,
): Promise<PlanJobsPage> {
  return await get(`${root}/plan_jobs`, page, signal);
}

/** @throws ApiError 404 for one that does not exist any more */
export async function readPlanJob(id: string, signal: AbortSignal): Promise<PlanJob> {
  return await get(`${root}/plan_jobs/${encodeURIComponent(id)}`, {}, signal);
}

export interface PlanEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The events so far; long messages are cut. */
export async function readPlanEvents(id: string, signal: AbortSignal): Promise<readonly PlanEvent[]> {
  const path = `${root}/plan_jobs/${encodeURIComponent(id)}/events`;
  return (await get<{ readonly items: readonly PlanEvent[] }>(path, {}, signal)).items;
}
