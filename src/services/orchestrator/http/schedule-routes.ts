/** `/orchestrator/v1`: jobs that start at a time. */

import { json, type Route, withShapes } from '../../../platform/http/index.ts';
import { actorOf } from '../actor.ts';
import {
  type EnvironmentJobsPage,
  EnvironmentJobsWire,
  EnvironmentJobWire,
  type NextRunTimes,
  NextRunTimesWire,
  type ScheduledAnswer,
  type ScheduledJobsPage,
  ScheduledJobsWire,
  ScheduledJobWire,
  ScheduledWire,
  type ScheduleRuns,
  ScheduleRunsWire,
} from '../scheduling/answers/wire.ts';
import { askingOf, at, type OrchestratorRouteOptions } from './orchestrator-route.ts';
import { isoSeconds } from './present.ts';
import {
  environmentJobs,
  linkOf,
  presentEnvironmentJob,
  presentRun,
  presentScheduled,
} from './present-schedule.ts';
import {
  ChangeWire,
  commandShapes,
  decodeEnvironmentJob,
  decodeNextRuns,
  decodeScheduleChange,
  decodeScheduleCommand,
  JobWire,
  NextRunsWire,
  pageOfScheduled,
} from './schedule-wire.ts';
import { decodeJobId } from './wire.ts';

export function scheduleRoutes(options: OrchestratorRouteOptions): readonly Route[] {
  const { scheduled } = options;
  const commands = (['deploy', 'task', 'plan'] as const).map((type) =>
    withShapes(
      { body: commandShapes[type], answer: ScheduledWire },
      at('POST', `/command/schedule_${type}`, options, async (request, link) => {
        const { schedule, scheduled: order } = decodeScheduleCommand(type, await request.body());
        const id = await scheduled.add(order, schedule, askingOf(request));
        return json({ scheduled_job: linkOf(id, link, '/scheduled_jobs') } satisfies ScheduledAnswer, 202);
      }),
    ),
  );
  return [...commands, ...listRoutes(options), ...environmentJobRoutes(options)];
}

function listRoutes(options: OrchestratorRouteOptions): readonly Route[] {
  const { scheduled } = options;
  return [
    withShapes(
      { answer: ScheduledJobsWire },
      at('GET', '/scheduled_jobs', options, async ({ query }, link) => {
        const { pagination, shown } = pageOfScheduled(await scheduled.all(), query);
        const items = shown.map((job) => presentScheduled(job, link));
        return json({ items, pagination } satisfies ScheduledJobsPage);
      }),
    ),
    withShapes(
      { body: NextRunsWire, answer: NextRunTimesWire },
      at('POST', '/scheduled_jobs/next_runs', options, async ({ body }) => {
        const { count, schedule } = decodeNextRuns(await body());
        return json({ items: scheduled.nextTimes(schedule, count).map(isoSeconds) } satisfies NextRunTimes);
      }),
    ),
    withShapes(
      { answer: ScheduleRunsWire },
      at('GET', '/scheduled_jobs/:id/runs', options, async ({ params }, link) => {
        const job = await scheduled.get(decodeJobId(params['id']));
        const runs = await scheduled.runs(job.id);
        return json({ items: runs.map((run) => presentRun(job.type, run, link)) } satisfies ScheduleRuns);
      }),
    ),
    withShapes(
      { answer: ScheduledJobWire },
      at('GET', '/scheduled_jobs/:id', options, async ({ params }, link) =>
        json(presentScheduled(await scheduled.get(decodeJobId(params['id'])), link)),
      ),
    ),
    at('DELETE', '/scheduled_jobs/:id', options, async ({ identity, params }) => {
      await scheduled.remove(decodeJobId(params['id']), actorOf(identity));
      return { status: 204 };
    }),
  ];
}

function environmentJobRoutes(options: OrchestratorRouteOptions): readonly Route[] {
  const { scheduled } = options;
  return [
    withShapes(
      { answer: EnvironmentJobsWire },
      at('GET', environmentJobs, options, async ({ query }, link) => {
        const { pagination, shown } = pageOfScheduled(await scheduled.all(), query);
        const items = shown.map((job) => presentEnvironmentJob(job, link));
        return json({ items, pagination } satisfies EnvironmentJobsPage);
      }),
    ),
    withShapes(
      { body: JobWire, answer: ScheduledWire },
      at('POST', environmentJobs, options, async (request, link) => {
        const { schedule, scheduled: order } = decodeEnvironmentJob(await request.body());
        const id = await scheduled.add(order, schedule, askingOf(request));
        return json({ scheduled_job: linkOf(id, link, environmentJobs) } satisfies ScheduledAnswer, 202);
      }),
    ),
    withShapes(
      { answer: EnvironmentJobWire },
      at('GET', `${environmentJobs}/:id`, options, async ({ params }, link) =>
        json(presentEnvironmentJob(await scheduled.get(decodeJobId(params['id'])), link)),
      ),
    ),
    withShapes(
      { body: ChangeWire, answer: ScheduledWire },
      at('PUT', `${environmentJobs}/:id`, options, async ({ body, identity, params }, link) => {
        const id = decodeJobId(params['id']);
        await scheduled.change(id, decodeScheduleChange(await body()), actorOf(identity));
        return json({ scheduled_job: linkOf(id, link, environmentJobs) } satisfies ScheduledAnswer);
      }),
    ),
  ];
}
