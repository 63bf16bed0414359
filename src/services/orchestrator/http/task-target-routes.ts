/** `/orchestrator/v1`: which tasks a role permits on which nodes, and how many nodes there were. */

import { z } from 'zod';
import { json, type Link, type Route, withShapes } from '../../../platform/http/index.ts';
import { actorOf } from '../actor.ts';
import { orchestratorError } from '../orchestrator-error.ts';
import type { NewTaskTarget, TaskTarget } from '../task-targets/task-targets.ts';
import { at, type OrchestratorRouteOptions } from './orchestrator-route.ts';
import { bodyIn, decodeJobId, decodeWith } from './wire.ts';

const path = '/scopes/task_targets';

/** @see PE, "POST /command/task_target" */
const TaskTargetWire = z
  .strictObject({
    display_name: z.string().min(1),
    tasks: z.array(z.string()).optional(),
    all_tasks: z.boolean().optional(),
    nodes: z.array(z.string()).default([]),
    node_groups: z.array(z.string()).default([]),
    pql_query: z.string().min(1).optional(),
  })
  .refine(
    ({ all_tasks: isAll, tasks }) => isAll === true || (tasks !== undefined && tasks.length > 0),
    'names tasks, or sets all_tasks to true',
  );

export function taskTargetRoutes(options: OrchestratorRouteOptions): readonly Route[] {
  const { taskTargets } = options;
  return [
    withShapes(
      { body: TaskTargetWire },
      at('POST', '/command/task_target', options, async ({ body, identity }, link) => {
        const id = await taskTargets.add(decodeTaskTarget(await body()), actorOf(identity));
        return json({ task_target: linkOf(id, link) });
      }),
    ),
    at('GET', path, options, async (_, link) => {
      const all = await taskTargets.all();
      return json({ items: all.map((target) => present(target, link)) });
    }),
    at('GET', `${path}/:id`, options, async ({ params }, link) =>
      json(present(await taskTargets.get(decodeJobId(params['id'])), link)),
    ),
    at('DELETE', `${path}/:id`, options, async ({ identity, params }) => {
      await taskTargets.remove(decodeJobId(params['id']), actorOf(identity));
      return { status: 204 };
    }),
  ];
}

/** @see PE, "GET /usage" */
export function usageRoute(options: OrchestratorRouteOptions): Route {
  return at('GET', '/usage', options, async ({ query }) => {
    const [from, until] = [dayIn(query, 'start_date'), dayIn(query, 'end_date')];
    if (from !== undefined && until !== undefined && from > until)
      throw orchestratorError('validation-error', 'end_date is before start_date');
    const days = await options.usage.list(from, until);
    const items = days.map(({ date, nodesWithAgent }) => ({
      date,
      total_nodes: nodesWithAgent,
      nodes_with_agent: nodesWithAgent,
      nodes_without_agent: 0,
    }));
    const pagination = {
      ...(from === undefined ? {} : { start_date: from }),
      ...(until === undefined ? {} : { end_date: until }),
    };
    return json({ items, pagination });
  });
}

function decodeTaskTarget(body: Buffer): NewTaskTarget {
  const wire = decodeWith(TaskTargetWire, bodyIn(body));
  return {
    displayName: wire.display_name,
    tasks: wire.all_tasks === true ? undefined : wire.tasks,
    nodes: wire.nodes,
    nodeGroups: wire.node_groups,
    query: wire.pql_query,
  };
}

function present({ displayName, id, nodeGroups, nodes, query, tasks }: TaskTarget, link: Link): object {
  return {
    ...linkOf(id, link),
    display_name: displayName,
    ...(tasks === undefined ? {} : { tasks }),
    all_tasks: tasks === undefined,
    nodes,
    node_groups: nodeGroups,
    ...(query === undefined ? {} : { pql_query: query }),
  };
}

function linkOf(id: number, link: Link): object {
  return { id: link(`${path}/${id}`), name: String(id) };
}

function dayIn(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!z.iso.date().safeParse(text).success)
    throw orchestratorError('validation-error', `${name} is a day like 2026-11-26, not '${text}'`);
  return text;
}
