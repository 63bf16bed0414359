/** Scheduled jobs, which start once or repeatedly. */

import type {
  NextRunTimes,
  ScheduledAnswer,
  ScheduledJobAnswer,
  ScheduledJobsPage,
  ScheduleRun,
  ScheduleRuns,
} from '../../../src/services/orchestrator/scheduling/answers/wire.ts';
import type { ScheduleWire } from '../lib/schedules.ts';
import { get, post, put, remove } from './client.ts';

export type {
  ScheduledJobAnswer as ScheduledJob,
  ScheduleRun,
} from '../../../src/services/orchestrator/scheduling/answers/wire.ts';
export type ScheduledType = ScheduledJobAnswer['type'];

const root = '/orchestrator/v1/scheduled_jobs';

/** The next first. */
export async function readSchedules(signal: AbortSignal): Promise<readonly ScheduledJobAnswer[]> {
  return (await get<ScheduledJobsPage>(root, {}, signal)).items;
}

/** @throws ApiError 404 for one that is over or was deleted */
export async function readSchedule(id: string, signal: AbortSignal): Promise<ScheduledJobAnswer> {
  return await get(`${root}/${encodeURIComponent(id)}`, {}, signal);
}

/** The last first. */
export async function readScheduleRuns(id: string, signal: AbortSignal): Promise<readonly ScheduleRun[]> {
  const path = `${root}/${encodeURIComponent(id)}/runs`;
  return (await get<ScheduleRuns>(path, {}, signal)).items;
}

/** When a schedule would run. @throws ApiError 400 for one that never would */
export async function readNextRuns(schedule: ScheduleWire, signal: AbortSignal): Promise<readonly string[]> {
  const path = `${root}/next_runs`;
  return (await post<NextRunTimes>(path, schedule, signal))?.items ?? [];
}

/** @returns its number */
export async function addSchedule(
  type: ScheduledType,
  order: object,
  schedule: ScheduleWire,
): Promise<string> {
  const path = `/orchestrator/v1/command/schedule_${type}`;
  const answer = await post<ScheduledAnswer>(path, {
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
