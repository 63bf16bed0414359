/** Answers about scheduled jobs of `/orchestrator/v1`, whose types the pages use, too. It imports nothing of the server. */

import { z } from 'zod';
import type { ReadOnlyAnswer as Answer } from '../../../../lib/read-only-answer.ts';

/** `2026-01-31T12:00:00Z`, with more digits after the year 9999. */
const Time = z.string();

/** Its number is its name. */
const LinkWire = z.strictObject({ id: z.string(), name: z.string() });

const TypeWire = z.enum(['deploy', 'task', 'plan']);
const Owner = z.strictObject({ id: z.string(), login: z.string() });
/** As they were asked for, without sensitive values. */
const Options = z.record(z.string(), z.unknown());

/** None for a job that runs once. */
const RepeatWire = z.strictObject({
  interval: z.strictObject({ units: z.literal('seconds'), value: z.int() }).exactOptional(),
  cron: z.string().exactOptional(),
  /** Of `cron`. */
  time_zone: z.string().exactOptional(),
});

const RunWire = z.strictObject({
  time: Time,
  /** A job, or a plan job. */
  job: LinkWire.exactOptional(),
  /** Why no job was started. */
  error: z.string().exactOptional(),
});
/** The last first. */
export const ScheduleRunsWire = z.strictObject({ items: z.array(RunWire) });

export const ScheduledJobWire = LinkWire.extend({
  type: TypeWire,
  task: z.string().exactOptional(),
  plan: z.string().exactOptional(),
  /** Of the nodes, where a query or an order does not name them. */
  scope: z.record(z.string(), z.unknown()).exactOptional(),
  environment: z.string(),
  owner: Owner,
  description: z.string(),
  /** Null while it is disabled. */
  next_run: Time.nullable(),
  scheduled_time: Time,
  schedule_options: RepeatWire,
  noop: z.boolean(),
  job_options: Options,
  enabled: z.boolean(),
  last_run: RunWire.nullable(),
});

const Pagination = z.strictObject({ limit: z.int().nullable(), offset: z.int(), total: z.int() });
export const ScheduledJobsWire = z.strictObject({ items: z.array(ScheduledJobWire), pagination: Pagination });

export const EnvironmentJobWire = LinkWire.extend({
  enabled: z.boolean(),
  environment: z.string(),
  owner: Owner,
  description: z.string(),
  type: TypeWire,
  /** Of tasks and plans with `name`, `parameters`, `sensitive_parameters`. */
  input: Options,
  userdata: z.record(z.string(), z.unknown()),
  schedule: RepeatWire.extend({
    start_time: Time.nullable(),
    interval: RepeatWire.shape.interval.unwrap().nullable(),
  }),
  /** Null while it is disabled. */
  next_run: z.strictObject({ time: Time }).nullable(),
  last_run: RunWire.nullable(),
});
export const EnvironmentJobsWire = z.strictObject({
  items: z.array(EnvironmentJobWire),
  pagination: Pagination,
});

export const ScheduledWire = z.strictObject({ scheduled_job: LinkWire });

/** When a schedule would run. */
export const NextRunTimesWire = z.strictObject({ items: z.array(Time) });

export type ScheduledLink = Answer<z.infer<typeof LinkWire>>;
export type ScheduleRepeat = Answer<z.infer<typeof RepeatWire>>;
export type ScheduleRun = Answer<z.infer<typeof RunWire>>;
export type ScheduleRuns = Answer<z.infer<typeof ScheduleRunsWire>>;
export type ScheduledJobAnswer = Answer<z.infer<typeof ScheduledJobWire>>;
export type ScheduledJobsPage = Answer<z.infer<typeof ScheduledJobsWire>>;
export type EnvironmentJobAnswer = Answer<z.infer<typeof EnvironmentJobWire>>;
export type EnvironmentJobsPage = Answer<z.infer<typeof EnvironmentJobsWire>>;
export type ScheduledAnswer = Answer<z.infer<typeof ScheduledWire>>;
export type NextRunTimes = Answer<z.infer<typeof NextRunTimesWire>>;
