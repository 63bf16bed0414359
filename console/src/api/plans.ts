/** Plans of the live code, and plans that were run. */

import type {
  ListedPlan,
  PlanDetails,
  PlanEventAnswer,
  PlanEvents,
  PlanJobAnswer,
  PlanJobsPage,
  Plans,
  StartedPlan,
} from '../../../src/services/plans/answers/wire.ts';
import { get, post } from './client.ts';
import { codePath } from './tasks.ts';

export type {
  ListedPlan,
  PlanDetails,
  PlanEventAnswer as PlanEvent,
  PlanJobAnswer as PlanJob,
} from '../../../src/services/plans/answers/wire.ts';

const root = '/orchestrator/v1';

export async function readPlans(environment: string, signal: AbortSignal): Promise<readonly ListedPlan[]> {
  return (await get<Plans>(`${root}/plans`, { environment }, signal)).items;
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
  return (await post<StartedPlan>(path, run))?.name ?? '';
}

/** Ends a plan where it is. */
export async function stopPlan(id: string): Promise<void> {
  await post(`${root}/command/stop_plan`, { plan_job: id });
}

/** The newest first. */
export async function readPlanJobs(
  page: { readonly limit: number; readonly offset: number },
  signal: AbortSignal,
): Promise<PlanJobsPage> {
  return await get(`${root}/plan_jobs`, page, signal);
}

/** @throws ApiError 404 for one that does not exist any more */
export async function readPlanJob(id: string, signal: AbortSignal): Promise<PlanJobAnswer> {
  return await get(`${root}/plan_jobs/${encodeURIComponent(id)}`, {}, signal);
}

/** The events so far; long messages are cut. */
export async function readPlanEvents(id: string, signal: AbortSignal): Promise<readonly PlanEventAnswer[]> {
  const path = `${root}/plan_jobs/${encodeURIComponent(id)}/events`;
  return (await get<PlanEvents>(path, {}, signal)).items;
}
