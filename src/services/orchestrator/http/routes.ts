/** `/orchestrator/v1` as clients of Puppet Enterprise know it. */

import { Readable } from 'node:stream';
import { type HttpResponse, json, type Link, type Route, withShapes } from '../../../platform/http/index.ts';
import { actorOf } from '../actor.ts';
import {
  ConnectionsWire,
  ConnectionWire,
  JobEventsWire,
  JobNodesWire,
  type JobsPage,
  JobsWire,
  type StartedJob,
  StartedJobWire,
  type StoppedJob,
  StoppedJobWire,
  TaskDetailsWire,
  type Tasks,
  TasksWire,
  WholeJobWire,
} from '../answers/wire.ts';
import { nodeStates } from '../jobs/states.ts';
import { streamEvents, waitForEvents } from './event-stream.ts';
import { askingOf, at, type OrchestratorRouteOptions } from './orchestrator-route.ts';
import {
  presentConnection,
  presentJob,
  presentJobLink,
  presentListedTask,
  presentReport,
  presentStatuses,
  presentTask,
} from './present.ts';
import { renderEvents, renderNodes } from './render-lists.ts';
import { scheduleRoutes } from './schedule-routes.ts';
import { targetRoute } from './target-routes.ts';
import { taskTargetRoutes, usageRoute } from './task-target-routes.ts';
import {
  bodyIn,
  CommandWire,
  DeployWire,
  decodeCommand,
  decodeDeploy,
  decodeEnvironment,
  decodeInventoryNodes,
  decodeJobId,
  decodeNodePage,
  decodePage,
  decodeScript,
  decodeStart,
  decodeStop,
  decodeStreamStart,
  decodeTask,
  decodeWaitMs,
  NodesWire,
  ScriptWire,
  StopWire,
  TaskWire,
} from './wire.ts';

const eventStream = 'text/event-stream';

export function orchestratorRoutes(options: OrchestratorRouteOptions): readonly Route[] {
  return [
    ...commandRoutes(options),
    ...jobRoutes(options),
    ...inventoryRoutes(options),
    ...taskRoutes(options),
    targetRoute(options),
    ...scheduleRoutes(options),
    ...taskTargetRoutes(options),
    usageRoute(options),
  ];
}

function commandRoutes(options: OrchestratorRouteOptions): readonly Route[] {
  const { orchestrator } = options;
  const started = (id: number, link: Link) =>
    json({ job: presentJobLink(id, link) } satisfies StartedJob, 202);
  return [
    at('GET', '', options, (_, link) => json(presentRoot(link))),
    // As the public Ruby client asks.
    at('GET', '/', options, (_, link) => json(presentRoot(link))),
    withShapes(
      { body: DeployWire, answer: StartedJobWire },
      at('POST', '/command/deploy', options, async (request, link) =>
        started(
          await orchestrator.deploy(decodeDeploy(bodyIn(await request.body())), askingOf(request)),
          link,
        ),
      ),
    ),
    withShapes(
      { body: TaskWire, answer: StartedJobWire },
      at('POST', '/command/task', options, async (request, link) =>
        started(
          await orchestrator.runTask(decodeTask(bodyIn(await request.body())), askingOf(request)),
          link,
        ),
      ),
    ),
    withShapes(
      { body: CommandWire, answer: StartedJobWire },
      at('POST', '/command/run_command', options, async (request, link) =>
        started(await orchestrator.runCommand(decodeCommand(await request.body()), askingOf(request)), link),
      ),
    ),
    withShapes(
      { body: ScriptWire, answer: StartedJobWire },
      at('POST', '/command/run_script', options, async (request, link) =>
        started(await orchestrator.runScript(decodeScript(await request.body()), askingOf(request)), link),
      ),
    ),
    withShapes(
      { body: StopWire, answer: StoppedJobWire },
      at('POST', '/command/stop', options, async ({ body, identity }, link) => {
        const wanted = decodeStop(await body());
        const { counts, job } = await orchestrator.stop(wanted.job, actorOf(identity), wanted.isForced);
        const states = nodeStates.filter((state) => state !== 'ready');
        // What has its turn is about to run.
        const shown = { ...counts, running: counts.running + counts.ready };
        const nodes = Object.fromEntries(states.map((state) => [state, shown[state]] as const));
        return json({ job: { ...presentJobLink(job.id, link), nodes } } satisfies StoppedJob, 202);
      }),
    ),
  ];
}

function jobRoutes(options: OrchestratorRouteOptions): readonly Route[] {
  const { orchestrator } = options;
  return [
    withShapes(
      { answer: JobsWire },
      at('GET', '/jobs', options, async ({ query }, link) => {
        const page = decodePage(query);
        const { jobs, total } = await orchestrator.jobs(page);
        const pagination = { limit: page.limit ?? null, offset: page.offset, total };
        return json({ items: jobs.map((job) => presentJob(job, link)), pagination } satisfies JobsPage);
      }),
    ),
    withShapes(
      { answer: WholeJobWire },
      at('GET', '/jobs/:id', options, async ({ params }, link) => {
        const overview = await orchestrator.job(decodeJobId(params['id']));
        return json({ ...presentJob(overview, link), ...presentStatuses(overview.job) });
      }),
    ),
    withShapes(
      { answer: JobNodesWire },
      at('GET', '/jobs/:id/nodes', options, async ({ params, query }, link) => {
        const [id, page] = [decodeJobId(params['id']), decodeNodePage(query)];
        return streamed(await renderNodes(orchestrator, id, page, link));
      }),
    ),
    at('GET', '/jobs/:id/report', options, async ({ params }) =>
      json(presentReport((await orchestrator.nodes(decodeJobId(params['id']))).keys)),
    ),
    withShapes(
      { answer: JobEventsWire },
      at('GET', '/jobs/:id/events', options, async ({ headers, params, query, signal }, link) => {
        const id = decodeJobId(params['id']);
        if (headers.accept?.includes(eventStream) === true) {
          const lastId = headers['last-event-id'];
          const start = decodeStreamStart(query, typeof lastId === 'string' ? lastId : undefined);
          // An unknown job is said before the stream begins.
          await orchestrator.job(id);
          const body = Readable.from(streamEvents(orchestrator, id, start, signal));
          return { status: 200, headers: { 'content-type': eventStream, 'cache-control': 'no-store' }, body };
        }
        const start = decodeStart(query);
        const limit = { waitMs: decodeWaitMs(query), signal };
        const first = await waitForEvents(orchestrator, id, start, limit);
        return streamed(await renderEvents(orchestrator, id, { first, start }, link));
      }),
    ),
  ];
}

function streamed(text: AsyncGenerator<string | Uint8Array>): HttpResponse {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: Readable.from(text) };
}

function inventoryRoutes(options: OrchestratorRouteOptions): readonly Route[] {
  const { orchestrator } = options;
  const connectionOf = (name: string) => presentConnection(name, orchestrator.connection(name));
  return [
    withShapes(
      { answer: ConnectionsWire },
      at('GET', '/inventory', options, () => {
        const all = Array.from(orchestrator.connections(), (each) => presentConnection(each.certname, each));
        return json({ items: all });
      }),
    ),
    withShapes(
      { body: NodesWire, answer: ConnectionsWire },
      at('POST', '/inventory', options, async ({ body }) =>
        json({ items: decodeInventoryNodes(await body()).map(connectionOf) }),
      ),
    ),
    withShapes(
      { answer: ConnectionWire },
      at('GET', '/inventory/:node', options, ({ params }) => json(connectionOf(params['node'] ?? ''))),
    ),
  ];
}

function taskRoutes(options: OrchestratorRouteOptions): readonly Route[] {
  const { orchestrator } = options;
  return [
    withShapes(
      { answer: TasksWire },
      at('GET', '/tasks', options, async ({ identity, query }, link) => {
        const environment = decodeEnvironment(query);
        const tasks = await orchestrator.tasks(environment, actorOf(identity));
        const items = tasks.map((task) => presentListedTask(task, link));
        return json({ environment: { name: environment, code_id: null }, items } satisfies Tasks);
      }),
    ),
    withShapes(
      { answer: TaskDetailsWire },
      at('GET', '/tasks/:module/:task', options, async ({ params, query }, link) => {
        const environment = decodeEnvironment(query);
        const { module = '', task = '' } = params;
        const name = task === 'init' ? module : `${module}::${task}`;
        return json(presentTask(await orchestrator.task(environment, name), environment, link));
      }),
    ),
  ];
}

const commands = [
  'deploy',
  'stop',
  'task',
  'run_command',
  'run_script',
  'plan_run',
  'stop_plan',
  'task_target',
];
const scheduleCommands = ['schedule_deploy', 'schedule_task', 'schedule_plan'];

function presentRoot(link: Link): object {
  const entry = (path: string) => ({ id: link(path) });
  return {
    info: {
      title: 'Orchestration API',
      description: 'Multi-purpose API for performing Puppet orchestration operations',
      version: '1',
    },
    status: entry('/status'),
    collections: [
      { id: link('/jobs'), name: 'jobs' },
      { id: link('/tasks'), name: 'tasks' },
      { id: link('/inventory'), name: 'inventory' },
      { id: link('/scheduled_jobs'), name: 'scheduled_jobs' },
      { id: link('/plans'), name: 'plans' },
      { id: link('/plan_jobs'), name: 'plan_jobs' },
      { id: link('/scopes/task_targets'), name: 'task_targets' },
      { id: link('/usage'), name: 'usage' },
    ],
    commands: [...commands, ...scheduleCommands].map((name) => ({
      id: link(`/command/${name}`),
      name,
    })),
  };
}
