/** Answers of `/orchestrator/v1`, whose types the pages use, too. It imports nothing of the server. */

import { z } from 'zod';
import type { ReadOnlyAnswer as Answer } from '../../../lib/read-only-answer.ts';

/** `2026-01-31T12:00:00Z`; null for what has not happened yet. */
const TimeOrNull = z.string().nullable();
/** Where it is read. */
const Link = z.strictObject({ id: z.string() });
const NodeStateWire = z.enum(['new', 'ready', 'running', 'finished', 'failed', 'errored', 'skipped']);

/** Its number is its name. */
const JobLinkWire = z.strictObject({ id: z.string(), name: z.string() });

const JobWire = JobLinkWire.extend({
  state: z.enum(['new', 'ready', 'running', 'stopping', 'stopped', 'finished', 'failed']),
  /** `deploy`, `task`, `plan_task` */
  type: z.string(),
  command: z.string(),
  /** As they were asked for. */
  options: z.record(z.string(), z.unknown()),
  owner: z.strictObject({ id: z.string(), login: z.string() }),
  description: z.string(),
  environment: z.strictObject({ name: z.string() }),
  /** When its state changed last. */
  timestamp: TimeOrNull,
  started_timestamp: TimeOrNull,
  finished_timestamp: TimeOrNull,
  /** In seconds, when it is over. */
  duration: z.number().nullable(),
  node_count: z.int(),
  node_states: z.partialRecord(NodeStateWire, z.int()).nullable(),
  nodes: Link,
  report: Link,
  events: Link,
  userdata: z.unknown(),
});

export const JobsWire = z.strictObject({
  items: z.array(JobWire),
  pagination: z.strictObject({ limit: z.int().nullable(), offset: z.int(), total: z.int() }),
});

export const WholeJobWire = JobWire.extend({
  status: z.array(z.strictObject({ state: z.string(), enter_time: TimeOrNull, exit_time: TimeOrNull })),
});

export const StartedJobWire = z.strictObject({ job: JobLinkWire });
export const StoppedJobWire = z.strictObject({
  job: JobLinkWire.extend({ nodes: z.record(z.string(), z.int()) }),
});

/** Where events go on. */
const nextEvents = { 'next-events': z.strictObject({ id: z.string(), event: z.string() }) };

const JobNodeWire = z.strictObject({
  /** Its certname. */
  name: z.string(),
  transport: z.enum(['pcp', 'ssh']),
  /** From 0, where nodes have an order. */
  level: z.int().exactOptional(),
  state: NodeStateWire,
  start_timestamp: TimeOrNull,
  finish_timestamp: TimeOrNull,
  /** In seconds, up to now while it runs. */
  duration: z.number().nullable(),
  timestamp: TimeOrNull,
  'latest-event-id': z.int().nullable(),
  transaction_uuid: z.string().nullable(),
  details: z.strictObject({
    message: z.string().exactOptional(),
    detail: z.unknown().optional(),
    'run-time': z.number().nullable().exactOptional(),
  }),
  /** When it has ended. */
  result: z.record(z.string(), z.unknown()).exactOptional(),
});
export const JobNodesWire = z.strictObject({ ...nextEvents, items: z.array(JobNodeWire) });

const JobEventWire = z.strictObject({
  id: z.string(),
  type: z.string(),
  timestamp: TimeOrNull,
  details: z.strictObject({ node: z.string().exactOptional(), detail: z.unknown().optional() }),
  message: z.string(),
});
export const JobEventsWire = z.strictObject({ ...nextEvents, items: z.array(JobEventWire) });

/** Whether an agent is connected, and to which broker. */
export const ConnectionWire = z.strictObject({
  name: z.string(),
  connected: z.boolean(),
  broker: z.string().exactOptional(),
  timestamp: TimeOrNull.exactOptional(),
});
export const ConnectionsWire = z.strictObject({ items: z.array(ConnectionWire) });

/** The nodes that a job would have. */
export const ReachWire = z.strictObject({
  total: z.int(),
  connected: z.int(),
  levels: z.array(
    z.strictObject({
      /** Of all its nodes, where they are servers of the installation. */
      role: z.enum(['compile server', 'puppetdb', 'console', 'primary']).exactOptional(),
      total: z.int(),
      connected: z.int(),
      nodes: z.array(z.strictObject({ name: z.string(), connected: z.boolean() })),
    }),
  ),
  /** Why there are none. */
  reason: z.string().exactOptional(),
});

const EnvironmentOfCode = z.strictObject({ name: z.string(), code_id: z.null() });

const ListedTaskWire = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string().exactOptional(),
  /** For other tasks and plans, not for people. */
  private: z.literal(true).exactOptional(),
});
export const TasksWire = z.strictObject({ environment: EnvironmentOfCode, items: z.array(ListedTaskWire) });

export const TaskDetailsWire = z.strictObject({
  id: z.string(),
  name: z.string(),
  environment: EnvironmentOfCode,
  /** As the module has it. */
  metadata: z.record(z.string(), z.unknown()),
  files: z.array(
    z.strictObject({ filename: z.string(), uri: z.unknown(), sha256: z.string(), size_bytes: z.int() }),
  ),
});

export type JobLinkAnswer = Answer<z.infer<typeof JobLinkWire>>;
export type JobAnswer = Answer<z.infer<typeof JobWire>>;
export type JobsPage = Answer<z.infer<typeof JobsWire>>;
export type JobStatuses = Pick<Answer<z.infer<typeof WholeJobWire>>, 'status'>;
export type StartedJob = Answer<z.infer<typeof StartedJobWire>>;
export type StoppedJob = Answer<z.infer<typeof StoppedJobWire>>;
export type JobNodeAnswer = Answer<z.infer<typeof JobNodeWire>>;
export type JobNodes = Answer<z.infer<typeof JobNodesWire>>;
export type JobEventAnswer = Answer<z.infer<typeof JobEventWire>>;
export type JobEvents = Answer<z.infer<typeof JobEventsWire>>;
export type ConnectionAnswer = Answer<z.infer<typeof ConnectionWire>>;
export type ReachAnswer = Answer<z.infer<typeof ReachWire>>;
export type ListedTask = Answer<z.infer<typeof ListedTaskWire>>;
export type Tasks = Answer<z.infer<typeof TasksWire>>;
export type TaskDetailsAnswer = Answer<z.infer<typeof TaskDetailsWire>>;
