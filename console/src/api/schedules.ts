/** Scheduled jobs, which start once or repeatedly. */

import type { ScheduleWire } from '../lib/schedules.ts';
import { get, post, put, remove } from './client.ts';

const root = '/orchestrator/v1/scheduled_jobs';

export type ScheduledType = 'deploy' | 'task' | 'plan';

export interface ScheduleRun {
  readonly time: string;
  readonly job?: { readonly name: string };
  /** Why no job was started. */
  readonly error?: string;
}

export interface ScheduledJob extends ScheduleWire {
  /** Its number. */
  readonly name: string;
  readonly type: ScheduledType;
  readonly task?: string;
  readonly plan?: string;
  readonly scope?: unknown;
  readonly environment: string;
  readonly owner: { readonly id: string; readonly login: string };
  readonly description: string;
  /** Null while it is disabled. */
  readonly next_run: string | null;
  readonly noop: boolean;
  readonly job_options: Readonly<Record<string, unknown>>;
  readonly enabled: boolean;
  readonly last_run: ScheduleRun | null;
}

/** The next first. */
export async function readSchedules(signal: AbortSignal): Promise<readonly ScheduledJob[]> {
  return (await get<{ readonly items: readonly ScheduledJob[] }>(root, {}, signal)).items;
}

/** @throws ApiError 404 for one that is over or was deleted */
export async function readSchedule(id: string, signal: AbortSignal): Promise<ScheduledJob> {
  return await get(`${root}/${encodeURIComponent(id)}`, {}, signal);
}

/** The last first. */
export async function readScheduleRuns(id: string, signal: AbortSignal): Promise<readonly ScheduleRun[]> {
  const path = `${root}/${encodeURIComponent(id)}/runs`;
  return (await get<{ readonly items: readonly ScheduleRun[] }>(path, {}, signal)).items;
}

/** When a schedule would run. @throws ApiError 400 for one that never would */
export async function readNextRuns(schedule: ScheduleWire, signal: AbortSignal): Promise<readonly string[]> {
  const path = `${root}/next_runs`;
  return (await post<{ readonly items: readonly string[] }>(path, schedule, signal))?.items ?? [];
}

/** @returns its number */
export async function addSchedule(
  type: ScheduledType,
  order: object,
  schedule: ScheduleWire,
): Promise<string> {
  const path = `/orchestrator/v1/command/schedule_${type}`;
  const answer = await post<{ readonly scheduled_job: { readonly name: string } }>(path, {
    ...order,
    ...schedule,
  });
  return answer?.scheduled_job.name ?? '';
}

/** Lets it run at other times. */
export async function changeSchedule(id: string, wire: ScheduleWire): Promise<void> {
  const { schedule_options: options = {}, scheduled_time: start } = wire;
  const schedule = { ...(start === undefined ? {} : { start_time: start }), ...options };
  await put(`${root}/environment_jobs/${encodeURIComponent(id)}`, { enabled: true, schedule });
}

export async function switchSchedule(id: string, enabled: boolean): Promise<void> {
  await put(`${root}/environment_jobs/${encodeURIComponent(id)}`, { enabled });
}

export async function deleteSchedule(id: string): Promise<void> {
  await remove(`${root}/${encodeURIComponent(id)}`);
}
