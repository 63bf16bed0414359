/** Jobs, nodes and events as clients of Puppet Enterprise get them. */

import type { Link } from '../../../platform/http/index.ts';
import type { AgentConnection } from '../agent-link.ts';
import type {
  ConnectionAnswer,
  JobAnswer,
  JobEventAnswer,
  JobEvents,
  JobLinkAnswer,
  JobNodeAnswer,
  JobStatuses,
  ListedTask,
  TaskDetailsAnswer,
} from '../answers/wire.ts';
import type { JobNode, JobOverview, NodeKey, StoredEvent } from '../job-store.ts';
import { type Job, stateOf } from '../jobs/job.ts';
import { hasEnded, isJobOver, nodeStates } from '../jobs/states.ts';
import type { TaskDetails } from '../tasks/task-terminus.ts';

export function presentJobLink(id: number, link: Link): JobLinkAnswer {
  return { id: link(`/jobs/${id}`), name: String(id) };
}

/** @see PE, "GET /jobs/:job-id" */
export function presentJob({ counts, job }: JobOverview, link: Link): JobAnswer {
  const { definition, id, statuses } = job;
  const entered = (state: string) => statuses.find((each) => each.state === state)?.enteredAt;
  const startedAt = entered('running');
  const finishedAt = isJobOver(stateOf(job)) ? statuses.at(-1)?.enteredAt : undefined;
  const states = nodeStates.filter((state) => counts[state] > 0);
  const nodeCount = nodeStates.reduce((sum, state) => sum + counts[state], 0);
  return {
    ...presentJobLink(id, link),
    state: stateOf(job),
    command: definition.type,
    type: definition.type,
    options: definition.options,
    owner: definition.owner,
    description: definition.description,
    environment: { name: definition.environment },
    timestamp: seconds(statuses.at(-1)?.enteredAt),
    started_timestamp: seconds(startedAt),
    finished_timestamp: seconds(finishedAt),
    duration: startedAt === undefined || finishedAt === undefined ? null : (finishedAt - startedAt) / 1000,
    node_count: nodeCount,
    node_states:
      nodeCount === 0 ? null : Object.fromEntries(states.map((state) => [state, counts[state]] as const)),
    nodes: { id: link(`/jobs/${id}/nodes`) },
    report: { id: link(`/jobs/${id}/report`) },
    events: { id: link(`/jobs/${id}/events`) },
    userdata: definition.options['userdata'] ?? {},
  };
}

export function presentStatuses({ statuses }: Job): JobStatuses {
  return {
    status: statuses.map(({ enteredAt, leftAt, state }) => ({
      state,
      enter_time: seconds(enteredAt),
      exit_time: seconds(leftAt),
    })),
  };
}

/** @see PE, "GET /jobs/:job-id/nodes" */
export function presentNode(
  node: JobNode,
  job: Job,
  { now, transport }: { readonly now: number; readonly transport: 'pcp' | 'ssh' },
  latest?: Pick<StoredEvent, 'id' | 'message'>,
): JobNodeAnswer {
  const { certname, finishedAt, level, outcome, startedAt, state } = node;
  const end = finishedAt?.getTime() ?? now;
  const duration = startedAt === undefined ? null : (end - startedAt.getTime()) / 1000;
  return {
    transport,
    name: certname,
    ...(job.definition.levelCount === undefined ? {} : { level }),
    state,
    start_timestamp: seconds(startedAt?.getTime()),
    finish_timestamp: seconds(startedAt === undefined ? undefined : finishedAt?.getTime()),
    duration,
    timestamp: seconds(finishedAt?.getTime() ?? startedAt?.getTime()),
    'latest-event-id': latest?.id ?? null,
    transaction_uuid: outcome?.reportOf ?? null,
    details: {
      ...(latest === undefined ? {} : { message: latest.message }),
      ...(outcome?.detail === undefined ? {} : { detail: outcome.detail }),
      ...(state === 'running' ? { 'run-time': duration } : {}),
    },
    // A large one is added as it is stored.
    ...(hasEnded(state) && node.largeResultBytes === undefined ? { result: resultOf(node, job) } : {}),
  };
}

/** What could not be run has an error for a result. */
function resultOf(
  { certname, outcome, state }: JobNode,
  { definition }: Job,
): NonNullable<JobNodeAnswer['result']> {
  const isTask = definition.type !== 'deploy';
  if (state === 'errored' || state === 'skipped') {
    const msg = outcome?.detail ?? '';
    const kind = 'puppetlabs.orchestrator/execution-failure';
    const error = { msg, kind, details: { node: certname } };
    return isTask ? { ...outcome?.result, _error: error } : { ...outcome?.result, ...error };
  }
  if (isTask) return outcome?.result ?? {};
  const { no_noop: noNoop, noop } = definition.options;
  return { noop: { noop: noop === true, no_noop: noNoop === true }, ...outcome?.result };
}

/** Where events go on. @param last - the id of the last one that is known */
export function presentNext(id: number, last: number, link: Link): Omit<JobEvents, 'items'> {
  const next = String(last + 1);
  return { 'next-events': { id: link(`/jobs/${id}/events?start=${next}`), event: next } };
}

export function presentEvent({ at, certname, id, message, output, type }: StoredEvent): JobEventAnswer {
  return {
    id: String(id),
    type,
    timestamp: seconds(at),
    details: certname === undefined ? {} : { node: certname, detail: output ?? {} },
    message,
  };
}

/** @see PE, "GET /jobs/:job-id/report" */
export function presentReport(nodes: readonly NodeKey[]): object {
  return {
    items: nodes.map(({ certname, finishedAt, startedAt, state }) => ({
      node: certname,
      state,
      timestamp: seconds(finishedAt?.getTime() ?? startedAt?.getTime()),
      events: [],
    })),
  };
}

/** @see PE, "GET /inventory" */
export function presentConnection(name: string, connection: AgentConnection | undefined): ConnectionAnswer {
  if (connection === undefined) return { name, connected: false };
  return {
    name,
    connected: true,
    broker: connection.broker,
    timestamp: seconds(connection.since.getTime()),
  };
}

/** @see PE, "GET /tasks/:module/:taskname" */
export function presentTask(
  { files, metadata, name }: TaskDetails,
  environment: string,
  link: Link,
): TaskDetailsAnswer {
  return {
    ...presentTaskLink(name, link),
    environment: { name: environment, code_id: null },
    metadata,
    files: files.map(({ filename, sha256, sizeBytes, uri }) => ({
      filename,
      uri,
      sha256,
      size_bytes: sizeBytes,
    })),
  };
}

/** The reference has only the address and the name. */
export function presentListedTask(
  { metadata, name }: Pick<TaskDetails, 'metadata' | 'name'>,
  link: Link,
): ListedTask {
  const { description, private: isPrivate } = metadata;
  return {
    ...presentTaskLink(name, link),
    ...(typeof description === 'string' ? { description } : {}),
    ...(isPrivate === true ? { private: true } : {}),
  };
}

function presentTaskLink(name: string, link: Link): JobLinkAnswer {
  const [module, task = 'init'] = name.split(/::(.*)/);
  return { id: link(`/tasks/${module}/${task}`), name };
}

/** Null for what has not happened. */
export function seconds(time: number | undefined): string | null {
  return time === undefined ? null : isoSeconds(time);
}

/** ISO 8601 without fractions. */
export function isoSeconds(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}
