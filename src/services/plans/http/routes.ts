/** `/orchestrator/v1`: plans and plan jobs, as clients of Puppet Enterprise know them. */

import { authorOf } from '../../../platform/changes/index.ts';
import {
  type Access,
  clientLink,
  type HttpRequest,
  type HttpResponse,
  type Identity,
  json,
  type Link,
  type Route,
  route,
  withShapes,
} from '../../../platform/http/index.ts';
import {
  type PlanDetails,
  PlanDetailsWire,
  type PlanEventAnswer,
  type PlanEvents,
  PlanEventsWire,
  PlanEventWire,
  type PlanJobAnswer,
  type PlanJobsPage,
  PlanJobsWire,
  PlanJobWire,
  type Plans,
  PlansWire,
  StartedPlanWire,
} from '../answers/wire.ts';
import type { PlanActor, PlanJob, StoredPlanEvent } from '../jobs/plan-job.ts';
import { type PlanJobs, planError } from '../jobs/plan-jobs.ts';
import {
  decodeEnvironment,
  decodeEnvironmentPlanRun,
  decodeNumber,
  decodePage,
  decodePlanRun,
  decodeStopPlan,
  EnvironmentPlanRunWire,
  PlanRunWire,
  StopWire,
} from './wire.ts';

const prefix = '/orchestrator/v1';
const bodyBytes = 16 * 1024 * 1024;
/** Of the text of a message in a list; the whole is under the event's own address. */
const messageBytes = 1024;

export interface PlanRouteOptions {
  readonly jobs: PlanJobs;
  /** The certnames that a parameter stands for. */
  readonly findNodes: (
    parameter: { readonly type: 'query' | 'node_group'; readonly value: string },
    identity: Identity,
    signal: AbortSignal,
  ) => Promise<readonly string[]>;
  /** Users who may use the orchestrator at all, and certificates that may do everything. */
  readonly allow: Access;
  /** The server's own name and port, for clients that name none. */
  readonly authority: () => string;
}

export function planRoutes(options: PlanRouteOptions): readonly Route[] {
  return [...commandRoutes(options), ...jobRoutes(options), ...listRoutes(options)];
}

function commandRoutes(options: PlanRouteOptions): readonly Route[] {
  const { jobs } = options;
  return [
    withShapes(
      { body: PlanRunWire, answer: StartedPlanWire },
      at('POST', '/command/plan_run', options, async ({ body, identity }) => {
        const order = decodePlanRun(await body());
        requireRun(identity, order.plan);
        return json({ name: String(await jobs.run(order, ownerOf(identity))) }, 202);
      }),
    ),
    withShapes(
      { body: EnvironmentPlanRunWire, answer: StartedPlanWire },
      at('POST', '/command/environment_plan_run', options, async ({ body, identity, signal }) => {
        const { findable, order } = decodeEnvironmentPlanRun(await body());
        requireRun(identity, order.plan);
        const found = await Promise.all(
          findable.map(
            async ({ name, ...parameter }) =>
              [name, [...(await options.findNodes(parameter, identity, signal))]] as const,
          ),
        );
        const parameters = { ...order.parameters, ...Object.fromEntries(found) };
        return json({ name: String(await jobs.run({ ...order, parameters }, ownerOf(identity))) }, 202);
      }),
    ),
    withShapes(
      { body: StopWire, answer: StartedPlanWire },
      at('POST', '/command/stop_plan', options, async ({ body, identity }) => {
        const id = decodeStopPlan(await body());
        requireRun(identity, (await jobs.get(id)).plan);
        return json({ name: String((await jobs.stop(id, ownerOf(identity))).id) }, 202);
      }),
    ),
  ];
}

function jobRoutes(options: PlanRouteOptions): readonly Route[] {
  const { jobs } = options;
  return [
    withShapes(
      { answer: PlanJobsWire },
      at('GET', '/plan_jobs', options, async ({ query }, link) => {
        const { limit, offset } = decodePage(query);
        const { jobs: found, total } = await jobs.list(limit ?? Number.MAX_SAFE_INTEGER, offset);
        const items = found.map((job) => presentJob(job, link));
        return json({ items, pagination: { limit: limit ?? null, offset, total } } satisfies PlanJobsPage);
      }),
    ),
    withShapes(
      { answer: PlanJobWire },
      at('GET', '/plan_jobs/:id', options, async ({ params }, link) =>
        json(presentJob(await jobs.get(decodeNumber(params['id'])), link)),
      ),
    ),
    withShapes(
      { answer: PlanEventsWire },
      at('GET', '/plan_jobs/:id/events', options, async ({ params, query }, link) => {
        const id = decodeNumber(params['id']);
        const start = query.has('start') ? decodeNumber(query.get('start') ?? undefined) : 0;
        const events = await jobs.events(id, start);
        const next = String((events.at(-1)?.id ?? start - 1) + 1);
        const items = events.map((event) => presentEvent(event, true));
        return json({
          'next-events': { id: link(`/plan_jobs/${id}/events?start=${next}`), event: next },
          items,
        } satisfies PlanEvents);
      }),
    ),
    withShapes(
      { answer: PlanEventWire },
      at('GET', '/plan_jobs/:id/event/:event', options, async ({ params }) => {
        const id = decodeNumber(params['id']);
        const wanted = decodeNumber(params['event']);
        const event = (await jobs.events(id, wanted)).find((each) => each.id === wanted);
        if (event === undefined)
          throw planError('mismatched-job-event-id', `Event ${wanted} is none of plan job ${id}`);
        return json(presentEvent(event, false));
      }),
    ),
  ];
}

function listRoutes(options: PlanRouteOptions): readonly Route[] {
  const { jobs } = options;
  return [
    withShapes(
      { answer: PlansWire },
      at('GET', '/plans', options, async ({ identity, query }, link) => {
        const environment = decodeEnvironment(query);
        const names = await jobs.names(environment);
        const items = names.map((name) => ({
          ...planLink(name, link),
          permitted: mayRun(identity, name),
        }));
        return json({ environment: { name: environment, code_id: null }, items } satisfies Plans);
      }),
    ),
    withShapes(
      { answer: PlanDetailsWire },
      at('GET', '/plans/:module/:plan', options, async ({ identity, params, query }, link) => {
        const environment = decodeEnvironment(query);
        const { module = '', plan = '' } = params;
        const name = plan === 'init' ? module : `${module}::${plan}`;
        return json({
          ...planLink(name, link),
          environment: { name: environment, code_id: null },
          metadata: presentMetadata(await jobs.describe(environment, name)),
          permitted: mayRun(identity, name),
        } satisfies PlanDetails);
      }),
    ),
  ];
}

function presentMetadata({
  description,
  parameters,
}: Awaited<ReturnType<PlanJobs['describe']>>): PlanDetails['metadata'] {
  const shown = Object.entries(parameters).map(([name, each]) => [
    name,
    {
      type: each.type,
      ...(each.defaultValue === undefined ? {} : { default_value: each.defaultValue }),
      ...(each.description === undefined ? {} : { description: each.description }),
      sensitive: each.isSensitive,
    },
  ]);
  return { ...(description === undefined ? {} : { description }), parameters: Object.fromEntries(shown) };
}

function presentJob(job: PlanJob, link: Link): PlanJobAnswer {
  const { createdAt, description, environment, finishedAt, id, owner, parameters, plan, result, state } = job;
  return {
    id: link(`/plan_jobs/${id}`),
    name: String(id),
    state,
    options: { description, plan_name: plan, parameters, environment },
    result: result ?? null,
    owner,
    timestamp: (finishedAt ?? createdAt).toISOString(),
    created_timestamp: createdAt.toISOString(),
    finished_timestamp: finishedAt?.toISOString() ?? null,
    events: { id: link(`/plan_jobs/${id}/events`) },
  };
}

function presentEvent({ at: time, details, id, type }: StoredPlanEvent, isCut: boolean): PlanEventAnswer {
  const { message } = details;
  const shown = isCut && typeof message === 'string' ? { ...details, message: cut(message) } : details;
  return { id: String(id), type, timestamp: time.toISOString(), details: shown };
}

function cut(text: string): string {
  const bytes = Buffer.from(text);
  // A character that is cut in two is left out.
  return bytes.length <= messageBytes
    ? text
    : bytes
        .subarray(0, messageBytes)
        .toString()
        .replace(/\uFFFD+$/, '');
}

function planLink(name: string, link: Link): { readonly id: string; readonly name: string } {
  const [module = '', plan = 'init'] = name.split(/::(.*)/s);
  return { id: link(`/plans/${module}/${plan}`), name };
}

function ownerOf(identity: Identity): PlanActor {
  const author = authorOf(identity);
  if (identity.kind === 'user') return { id: identity.id, login: identity.login, author };
  const certname = identity.kind === 'certificate' ? identity.certname : '';
  return { id: `certificate:${certname}`, login: certname, author };
}

/** Certificates that were let in may do everything. */
function mayRun(identity: Identity, plan: string): boolean {
  return identity.kind !== 'user' || identity.permits({ objectType: 'plans', action: 'run', instance: plan });
}

/** @throws ServiceError `not-permitted` */
function requireRun(identity: Identity, plan: string): void {
  if (!mayRun(identity, plan))
    throw planError('not-permitted', `${ownerOf(identity).login} is not permitted to run plan ${plan}`);
}

function at(
  method: 'GET' | 'POST',
  path: string,
  { allow, authority }: PlanRouteOptions,
  handle: (request: HttpRequest, link: Link) => Promise<HttpResponse>,
): Route {
  return route({
    method,
    path: prefix + path,
    allow,
    maxBodyBytes: bodyBytes,
    handle: (request) => handle(request, clientLink(request, prefix, authority)),
  });
}
