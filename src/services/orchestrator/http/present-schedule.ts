/** Scheduled jobs as clients of Puppet Enterprise get them. */

import type { Json, JsonObject } from '../../../lib/json.ts';
import type { Link } from '../../../platform/http/index.ts';
import type {
  EnvironmentJobAnswer,
  ScheduledJobAnswer,
  ScheduledLink,
  ScheduleRepeat,
  ScheduleRun,
} from '../scheduling/answers/wire.ts';
import type { Schedule } from '../scheduling/schedule.ts';
import type { LastRun, ScheduledJob } from '../scheduling/scheduled-job.ts';
import { isoSeconds, seconds } from './present.ts';

/** @see PE, "GET /scheduled_jobs" */
export function presentScheduled(job: ScheduledJob, link: Link): ScheduledJobAnswer {
  const { isEnabled, lastRun, owner, schedule, shown, type } = job;
  const { description, environment, noop, plan, scope, task, ...options } = shown;
  return {
    ...linkOf(job.id, link, '/scheduled_jobs'),
    type,
    ...(task === undefined ? {} : { task: textOf(task) }),
    ...(plan === undefined ? {} : { plan: textOf(plan) }),
    ...(scope === undefined ? {} : { scope: objectOf(scope) }),
    environment: textOf(environment),
    owner,
    description: textOf(description),
    next_run: nextRunOf(job),
    scheduled_time: isoSeconds(startOf(schedule) ?? job.scheduledAt.getTime()),
    schedule_options: repeatOf(schedule),
    noop: noop === true,
    job_options: options,
    enabled: isEnabled,
    last_run: presentLastRun(type, lastRun, link),
  };
}

/** @see PE, "GET /scheduled_jobs/environment_jobs" */
export function presentEnvironmentJob(job: ScheduledJob, link: Link): EnvironmentJobAnswer {
  const { isEnabled, lastRun, owner, schedule, shown, type } = job;
  const { description, environment, params, plan, sensitive, task, userdata, ...more } = shown;
  const named = { name: task ?? plan, parameters: params ?? {}, sensitive_parameters: sensitive ?? [] };
  const nextRun = nextRunOf(job);
  return {
    ...linkOf(job.id, link, environmentJobs),
    enabled: isEnabled,
    environment: textOf(environment),
    owner,
    description: textOf(description),
    type,
    input: { ...more, ...(type === 'deploy' ? {} : named) },
    userdata: objectOf(userdata),
    schedule: {
      start_time: seconds(startOf(schedule)),
      interval: null,
      ...repeatOf(schedule),
    },
    next_run: nextRun === null ? null : { time: nextRun },
    last_run: presentLastRun(type, lastRun, link),
  };
}

export const environmentJobs = '/scheduled_jobs/environment_jobs';

export function linkOf(id: number, link: Link, path: string): ScheduledLink {
  return { id: link(`${path}/${id}`), name: String(id) };
}

function nextRunOf({ isEnabled, scheduledAt }: ScheduledJob): string | null {
  return isEnabled ? isoSeconds(scheduledAt.getTime()) : null;
}

function startOf(schedule: Schedule): number | undefined {
  return schedule.kind === 'once' ? schedule.at : schedule.start;
}

function repeatOf(schedule: Schedule): ScheduleRepeat {
  if (schedule.kind === 'interval') return { interval: { units: 'seconds', value: schedule.seconds } };
  return schedule.kind === 'cron' ? { cron: schedule.pattern, time_zone: schedule.timeZone } : {};
}

function presentLastRun(
  type: ScheduledJob['type'],
  run: ScheduledJob['lastRun'],
  link: Link,
): ScheduleRun | null {
  return run === undefined ? null : presentRun(type, run, link);
}

export function presentRun(type: ScheduledJob['type'], { at, error, job }: LastRun, link: Link): ScheduleRun {
  return {
    time: isoSeconds(at),
    ...(job === undefined ? {} : { job: linkOf(job, link, type === 'plan' ? '/plan_jobs' : '/jobs') }),
    ...(error === undefined ? {} : { error }),
  };
}

/** Requests were checked when they were stored. */
function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function objectOf(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
