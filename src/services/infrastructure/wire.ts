/** Bodies of `/infrastructure/v1/*`. */

import { z } from 'zod';
import { firstMistake, JsonBodies } from '../../lib/json-body.ts';
import { ServiceError } from '../../lib/service-error.ts';

const ServiceWire = z.object({
  state: z.string(),
  /** Its port, where it has one of its own. */
  port: z.number().optional(),
  status: z.unknown().optional(),
  active_alerts: z.array(z.object({ severity: z.string(), message: z.string() })).default([]),
});

const LoadWire = z.object({
  workers: z.number(),
  busy_workers: z.number(),
  queued: z.number(),
  /** Of the machine, over one minute. */
  load_average: z.number(),
  cores: z.number(),
  resident_bytes: z.number(),
});

const RunWire = z.object({
  node: z.string(),
  /** Since its request arrived for the first time. */
  age_ms: z.number().min(0),
  /** The worker's time; absent where the agent was told to retry later. */
  worker_ms: z.number().min(0).optional(),
  /** For how long it was told to wait. */
  retry_ms: z.number().min(0).optional(),
});

/** Requests for catalogs, as the server measures them. */
const WorkWire = z.object({
  /** Worker-seconds that arrive per second. */
  work: z.number(),
  /** Worker-seconds that were put off or wait. */
  backlog_seconds: z.number(),
  /** The share of the time that the main thread is busy. */
  event_loop: z.number(),
  /** The number of the first run below; a server counts from 0 when it starts. */
  first_run: z.int().min(0).default(0),
  /** What the primary does not have yet. */
  runs: z.array(RunWire).default([]),
});

/** What a server that has joined is for. */
export const memberRoles = ['compile server', 'puppetdb', 'console'] as const;
export type MemberRole = (typeof memberRoles)[number];

/** What a server says of itself. */
export const CheckInWire = z.object({
  /** `running` and the like; `drained` and `stopped` are the last words of one that ends. */
  state: z.enum(['starting', 'running', 'stopping', 'error', 'unknown', 'stopped', 'drained']),
  version: z.string(),
  role: z.enum(memberRoles).default('compile server'),
  /** What it speaks with the primary. */
  protocol: z.int().default(1),
  /** Where agents reach it: `https://compile1.example.com:8140`. */
  url: z.url(),
  /** The only address that it listens on, where it is one. */
  address: z.string().optional(),
  started_at: z.string(),
  /** Its port for health checks over plain HTTP, where it has one. */
  health_port: z.int().optional(),
  services: z.record(z.string(), ServiceWire),
  /** The commit that each environment is served from. */
  code: z.record(z.string(), z.string()),
  load: LoadWire,
  /** Absent where nothing is compiled, and from servers of earlier versions. */
  work: WorkWire.optional(),
  /** When the first of its certificates ends. */
  certificate_ends_at: z.string().optional(),
  /** Messages that wait for the primary. */
  undelivered: z.number().default(0),
});

export type CheckIn = z.infer<typeof CheckInWire>;

/** What the primary answers. */
export const OrdersWire = z.object({
  /** The server is to drain and to end. */
  leave: z.boolean(),
  /** What the primary speaks. */
  protocol: z.int().default(1),
  /** What a catalog takes a worker on other servers; absent before the primary has been told. */
  mean_compile_ms: z.number().positive().optional(),
  /** The share of all compile servers that is used, in percent; absent while it is not known. */
  capacity_used: z.number().nonnegative().optional(),
  /** Nodes that servers told to retry later long ago: they come before others. */
  long_waiting: z.array(z.string()).default([]),
});

export type Orders = z.input<typeof OrdersWire>;

/** What a compile server says of where it belongs. */
export const MembershipWire = z.object({ primary: z.url() });

export const TokenOrderWire = z.object({
  uses: z.int().min(1).optional(),
  ttl_seconds: z.int().min(1).optional(),
  certnames: z.array(z.string()).min(1).default(['*']),
  alt_names: z.array(z.string()).optional(),
});

const bodies = new JsonBodies({
  takesEmpty: true,
  notJson: (_text, cause) => new ServiceError('bad-request', 'The body is not valid JSON', { cause }),
  misshapen: (problem) => new ServiceError('bad-request', `Invalid body: ${firstMistake(problem)}`),
});

/** @throws ServiceError `bad-request` naming the field */
export function decodeBody<T extends z.ZodType>(shape: T, body: Buffer): z.infer<T> {
  return bodies.decode(shape, body);
}

/** What the primary shares with servers that join: settings by name, as they are written. */
export const SharedWire = z.object({ settings: z.record(z.string(), z.string()) });

/** A node whose groups make a compile server of it. */
export const CandidateWire = z.object({
  certname: z.string(),
  extensions: z.record(z.string(), z.string()),
  is_installed: z.boolean(),
});

/** Parameters of the class; `null` where it manages nothing. */
export const InstallationWire = z.object({ parameters: z.record(z.string(), z.json()).nullable() });
