/** Scheduled jobs as clients of Puppet Enterprise get them. */

import type { Link } from '../../../platform/http/index.ts';
import type { Schedule } from '../scheduling/schedule.ts';
import type { LastRun, ScheduledJob } from '../scheduling/scheduled-job.ts';
import { seconds } from './present.ts';

/** @see PE, "GET /scheduled_jobs" */
export function presentScheduled(job: ScheduledJob, link: Link): object {
  const { isEnabled, lastRun, owner, schedule, shown, type } = job;
  const { description, environment, noop, plan, scope, task, ...options } = shown;
  return {
    ...linkOf(job.id, link, '/scheduled_jobs'),
    type,
    ...(task === undefined ? {} : { task }),
    ...(plan === undefined ? {} : { plan }),
    ...(scope === undefined ? {} : { scope }),
    environment,
    owner,
    description,
    next_run: nextRunOf(job),
    scheduled_time: seconds(startOf(schedule) ?? job.scheduledAt.getTime()),
    schedule_options: repeatOf(schedule),
    noop: noop ?? false,
    job_options: options,
    enabled: isEnabled,
    last_run: presentLastRun(type, lastRun, link),
  };
}

/** @see PE, "GET /scheduled_jobs/environment_jobs" */
export function presentEnvironmentJob(job: ScheduledJob, link: Link): object {
  const { isEnabled, lastRun, owner, schedule, shown, type } = job;
  const { description, environment, params, plan, sensitive, task, userdata, ...more } = shown;
  const named = { name: task ?? plan, parameters: params ?? {}, sensitive_parameters: sensitive ?? [] };
  return {
    ...linkOf(job.id, link, environmentJobs),
    enabled: isEnabled,
    environment,
    owner,
    description,
    type,
    input: { ...more, ...(type === 'deploy' ? {} : named) },
    userdata: userdata ?? {},
    schedule: { start_time: seconds(startOf(schedule)), interval: null, ...repeatOf(schedule) },
    next_run: isEnabled ? { time: nextRunOf(job) } : null,
    last_run: presentLastRun(type, lastRun, link),
  };
}

export const environmentJobs = '/scheduled_jobs/environment_jobs';

export function linkOf(id: number, link: Link, path: string): object {
  return { id: link(`${path}/${id}`), name: String(id) };
}

function nextRunOf({ isEnabled, scheduledAt }: ScheduledJob): string | null {
  return isEnabled ? seconds(scheduledAt.getTime()) : null;
}

function startOf(schedule: Schedule): number | undefined {
  return schedule.kind === 'once' ? schedule.at : schedule.start;
}

function repeatOf(schedule: Schedule): object {
  if (schedule.kind === 'interval') return { interval: { units: 'seconds', value: schedule.seconds } };
  return schedule.kind === 'cron' ? { cron: schedule.pattern, time_zone: schedule.timeZone } : {};
}

function presentLastRun(type: ScheduledJob['type'], run: ScheduledJob['lastRun'], link: Link): object | null {
  return run === undefined ? null : presentRun(type, run, link);
}

export function presentRun(type: ScheduledJob['type'], { at, error, job }: LastRun, link: Link): object {
  return {
    time: seconds(at),
    ...(job === undefined ? {} : { job: linkOf(job, link, type === 'plan' ? '/plan_jobs' : '/jobs') }),
    ...(error === undefined ? {} : { error }),
  };
}
