/** Requests about scheduled jobs, under Puppet Enterprise's names. */

import { z } from 'zod';
import { orchestratorError } from '../orchestrator-error.ts';
import { isTimeZone, patternMistake, type Schedule } from '../scheduling/schedule.ts';
import type { PlanOrder, ScheduledJob, ScheduledOrder, ScheduledType } from '../scheduling/scheduled-job.ts';
import { bodyIn, count, DeployWire, decodeDeploy, decodeTask, decodeWith, oneOf, TaskWire } from './wire.ts';

const Time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
/** Times that are much later are not dates any more. */
const centurySeconds = 3_155_760_000;
/** A day in winter has as many seconds as one in summer: times of day need `cron`. */
const Interval = z.strictObject({ units: z.literal('seconds'), value: z.int().min(60).max(centurySeconds) });

const repeating = {
  interval: Interval.nullish(),
  cron: z
    .string()
    .superRefine((text, context) => {
      const message = patternMistake(text);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    })
    .optional(),
  time_zone: z.string().refine(isTimeZone, 'is not a time zone').optional(),
};

const times = {
  scheduled_time: Time.optional(),
  schedule_options: z.strictObject(repeating).optional(),
};

const CommandWire = z.looseObject(times);

export const NextRunsWire = z.strictObject({ ...times, count: z.int().min(1).max(20).default(5) });

const ScheduleWire = z.strictObject({ start_time: Time.optional(), ...repeating });

const PlanWire = z.strictObject({
  plan_name: z.string().min(1),
  params: z.record(z.string(), z.json()).default({}),
  environment: z.string().min(1).default('production'),
  description: z.string().default(''),
  userdata: z.record(z.string(), z.json()).optional(),
});

/** What is to run, and its times. */
export const commandShapes: Readonly<Record<ScheduledType, z.ZodType>> = {
  deploy: DeployWire.safeExtend(times),
  task: TaskWire.extend(times),
  plan: PlanWire.extend(times),
};

export const JobWire = z.strictObject({
  type: z.enum(['deploy', 'task', 'plan']),
  input: z.record(z.string(), z.json()),
  environment: z.string(),
  schedule: ScheduleWire,
  description: z.string().default(''),
  userdata: z.record(z.string(), z.json()).optional(),
});

export const ChangeWire = z.strictObject({
  enabled: z.boolean().optional(),
  schedule: ScheduleWire.optional(),
});

export interface ScheduleRequest {
  readonly scheduled: ScheduledOrder;
  readonly schedule: Schedule;
}

/** The body of `schedule_deploy`, `schedule_task` or `schedule_plan`. @throws ServiceError `validation-error` */
export function decodeScheduleCommand(type: ScheduledType, body: Buffer): ScheduleRequest {
  const {
    schedule_options: options = {},
    scheduled_time: time,
    ...rest
  } = decodeWith(CommandWire, bodyIn(body));
  return { scheduled: orderOf(type, rest), schedule: scheduleOf(time, options) };
}

/** @throws ServiceError `validation-error` */
export function decodeEnvironmentJob(body: Buffer): ScheduleRequest {
  const { environment, input, schedule, type, ...rest } = decodeWith(JobWire, bodyIn(body));
  const { name, parameters, sensitive_parameters: _, ...more } = input;
  const named =
    type === 'task' ? { task: name, params: parameters ?? {} } : { plan_name: name, params: parameters };
  const { start_time: start, ...options } = schedule;
  const order = { ...more, ...(type === 'deploy' ? {} : named), ...rest, environment };
  return { scheduled: orderOf(type, order), schedule: scheduleOf(start, options) };
}

/** Times that are asked for before anything is scheduled. @throws ServiceError `validation-error` */
export function decodeNextRuns(body: Buffer): { readonly schedule: Schedule; readonly count: number } {
  const wire = decodeWith(NextRunsWire, bodyIn(body));
  return { count: wire.count, schedule: scheduleOf(wire.scheduled_time, wire.schedule_options ?? {}) };
}

/** @throws ServiceError `validation-error` */
export function decodeScheduleChange(body: Buffer): {
  readonly isEnabled?: boolean;
  readonly schedule?: Schedule;
} {
  const { enabled, schedule } = decodeWith(ChangeWire, bodyIn(body));
  const { start_time: start, ...options } = schedule ?? {};
  return {
    ...(enabled === undefined ? {} : { isEnabled: enabled }),
    ...(schedule === undefined ? {} : { schedule: scheduleOf(start, options) }),
  };
}

const sortKeys = [
  'next_run',
  'next_run_time',
  'scheduled_time',
  'environment',
  'owner',
  'name',
  'type',
] as const;

const keyOf: Readonly<Record<(typeof sortKeys)[number], (job: ScheduledJob) => string | number>> = {
  next_run: ({ scheduledAt }) => scheduledAt.getTime(),
  next_run_time: ({ scheduledAt }) => scheduledAt.getTime(),
  scheduled_time: ({ scheduledAt }) => scheduledAt.getTime(),
  environment: ({ shown }) => String(shown['environment']),
  owner: ({ owner }) => owner.login,
  name: ({ id }) => id,
  type: ({ type }) => type,
};

/** The part of a list that somebody asks for. @throws ServiceError `validation-error` */
export function pageOfScheduled(jobs: readonly ScheduledJob[], query: URLSearchParams) {
  const type = oneOf(query, 'type', ['deploy', 'task', 'plan'] as const);
  const key = keyOf[oneOf(query, 'order_by', sortKeys) ?? 'next_run'];
  const isDescending = oneOf(query, 'order', ['asc', 'desc'] as const) === 'desc';
  const [limit, offset] = [count(query, 'limit'), count(query, 'offset') ?? 0];
  const wanted = type === undefined ? jobs : jobs.filter((job) => job.type === type);
  const ordered = wanted.toSorted((one, other) => compare(key(one), key(other)));
  if (isDescending) ordered.reverse();
  const shown = ordered.slice(offset, limit === undefined ? undefined : offset + limit);
  return { shown, pagination: { limit: limit ?? null, offset, total: wanted.length } };
}

function compare(one: string | number, other: string | number): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function orderOf(type: ScheduledType, body: object): ScheduledOrder {
  switch (type) {
    case 'task':
      return { type, order: decodeTask(body) };
    case 'deploy':
      return { type, order: decodeDeploy(body) };
    case 'plan':
      return { type, order: planOrder(body) };
    default:
      return type satisfies never;
  }
}

function planOrder(body: object): PlanOrder {
  const { description, environment, params, plan_name: plan } = decodeWith(PlanWire, body);
  return { plan, environment, description, parameters: params };
}

function scheduleOf(
  start: number | undefined,
  {
    cron,
    interval,
    time_zone: timeZone,
  }: { [Name in keyof typeof repeating]?: z.infer<(typeof repeating)[Name]> },
): Schedule {
  if (cron !== undefined && interval !== undefined && interval !== null)
    throw invalid('give one of cron and interval');
  if (cron === undefined && timeZone !== undefined) throw invalid('a time_zone is for cron');
  if (cron !== undefined)
    return {
      kind: 'cron',
      pattern: cron,
      timeZone: timeZone ?? 'UTC',
      ...(start === undefined ? {} : { start }),
    };
  if (start === undefined) throw invalid('give the time of the first run');
  return interval === undefined || interval === null
    ? { kind: 'once', at: start }
    : { kind: 'interval', start, seconds: interval.value };
}

function invalid(message: string): Error {
  return orchestratorError('validation-error', `The schedule: ${message}`);
}
