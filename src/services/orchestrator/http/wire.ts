/** Requests as they cross the network, under Puppet Enterprise's names. */

import { z } from 'zod';
import { JsonBodies } from '../../../lib/json-body.ts';
import { countParameter } from '../../../platform/http/index.ts';
import type { JobOrderKey, JobPage, NodeOrderKey, NodePage } from '../job-store.ts';
import type { Share } from '../jobs/batches.ts';
import { jobTypes } from '../jobs/job.ts';
import { jobStates, nodeStates } from '../jobs/states.ts';
import type { CommandOrder, DeployOrder, ScriptOrder, TaskOrder } from '../orchestrator.ts';
import { orchestratorError } from '../orchestrator-error.ts';
import { puppetFlags, puppetValues } from '../puppet-run.ts';
import type { Scope } from '../targets/scope.ts';

const Environment = z.string().regex(/^[A-Za-z0-9_]+$/, 'is not a valid environment name');
const Concurrency = z.int().min(1);
const certnamePattern = /^[^\s/\0]+$/;

const ScopeWire = z
  .strictObject({
    nodes: z.array(z.string().regex(certnamePattern, 'is not a certname')).optional(),
    query: z.union([z.string().min(1), z.array(z.json())]).optional(),
    node_group: z.string().min(1).optional(),
    connection_group: z.string().min(1).optional(),
    whole_environment: z.literal(true).optional(),
  })
  .refine(
    (scope) => Object.keys(scope).length === 1,
    'names exactly one of nodes, query, node_group and connection_group',
  );

/** What `pxp-module-puppet` lets through. */
const OptionValue = z
  .union([z.string(), z.int().min(0), z.array(z.string())])
  .transform((value) => (Array.isArray(value) ? value.join(',') : String(value)))
  .refine((text) => /^[\w:,.-]+$/.test(text), 'has characters that agents refuse');

/** `5`, `10%` */
const BatchSize = z.union([z.int().min(1), z.string().regex(/^(?:100|[1-9]\d?)%$/, 'is not a percentage')]);
const Failures = z.union([z.int().min(0), z.string().regex(/^(?:100|\d{1,2})%$/, 'is not a percentage')]);

const OrderWire = z
  .array(z.array(z.string().regex(certnamePattern, 'is not a certname').toLowerCase()).min(1))
  .min(1)
  .refine((levels) => new Set(levels.flat()).size === levels.flat().length, 'names a node more than once');

const commonFields = {
  description: z.string().default(''),
  concurrency: Concurrency.nullish(),
  batch: z.union([BatchSize, z.array(BatchSize).min(1)]).optional(),
  max_failures: Failures.optional(),
  userdata: z.record(z.string(), z.json()).optional(),
};

export const DeployWire = z
  .strictObject({
    ...commonFields,
    environment: z.union([z.literal(''), Environment]),
    scope: ScopeWire.optional(),
    order: z.union([z.literal('infrastructure'), OrderWire]).optional(),
    target: z.union([z.literal(''), z.strictObject({}), z.array(z.never())]).optional(),
    noop: z.boolean().optional(),
    no_noop: z.boolean().optional(),
    enforce_environment: z.boolean().default(true),
    ...Object.fromEntries(puppetFlags.map((name) => [name, z.boolean().optional()])),
    ...Object.fromEntries(puppetValues.map((name) => [name, OptionValue.optional()])),
  })
  .refine(
    ({ no_noop: noNoop, noop }) => !(noop === true && noNoop === true),
    'noop and no_noop exclude each other',
  )
  .refine(
    ({ enforce_environment: isEnforced, environment }) => environment !== '' || !isEnforced,
    'enforce_environment must be false when environment is empty',
  )
  .refine(
    ({ batch, order, scope }) => order === undefined || (scope === undefined && batch === undefined),
    'order names the nodes: there can be neither scope nor batch beside it',
  );

export const TaskWire = z.strictObject({
  ...commonFields,
  task: z.string().min(1),
  params: z.record(z.string(), z.json()),
  scope: ScopeWire,
  environment: Environment.default('production'),
  noop: z.boolean().default(false),
  /** Machines without an agent: none can be named yet. */
  targets: z.array(z.never()).optional(),
});

export const CommandWire = z.strictObject({
  ...commonFields,
  command: z.string().min(1).max(100_000),
  scope: ScopeWire,
});

export const ScriptWire = z.strictObject({
  ...commonFields,
  name: z.string().regex(/^[\w.-]{1,200}$/, 'is not a file name'),
  content: z.base64(),
  arguments: z.array(z.string()).default([]),
  scope: ScopeWire,
  environment: Environment.default('production'),
});

export const TargetsWire = z
  .strictObject({
    scope: ScopeWire.optional(),
    order: z.union([z.literal('infrastructure'), OrderWire]).optional(),
    task: z.string().min(1).optional(),
    environment: Environment.default('production'),
    limit: z.int().min(0).max(1000).default(100),
  })
  .refine(
    ({ order, scope }) => (order === undefined) !== (scope === undefined),
    'names one of scope and order',
  );

export const StopWire = z.strictObject({
  job: z.string().regex(/^\d+$/, 'is not a job number'),
  force: z.boolean().default(false),
});
export const NodesWire = z.strictObject({ nodes: z.array(z.string()) });

/** @throws ServiceError `validation-error` */
export function decodeDeploy(body: unknown): DeployOrder {
  const wire = decodeWith(DeployWire, body);
  const { description, environment, no_noop: noNoop, noop, order, scope } = wire;
  const whole: Scope = { kind: 'environment', environment };
  if (scope === undefined && order === undefined && environment === '')
    throw orchestratorError('validation-error', 'Without an environment there must be a scope');
  return {
    description,
    environment,
    ...limitsOf(wire),
    isEnvironmentEnforced: wire.enforce_environment,
    ...(noop === true ? { noop: true } : {}),
    ...(noNoop === true ? { noop: false } : {}),
    scope: order === undefined ? scopeOf(scope ?? {}, whole) : orderOf(order),
    flags: picked(wire, puppetFlags),
    values: picked(wire, puppetValues),
    options: {
      noop: false,
      debug: false,
      trace: false,
      evaltrace: false,
      ...withoutAbsent({ ...wire, ...(order === undefined && scope === undefined ? wholeScope : {}) }),
    },
  };
}

/** @throws ServiceError `validation-error` */
export function decodeTask(body: unknown): TaskOrder {
  const { params, scope, ...wire } = decodeWith(TaskWire, body);
  return {
    ...limitsOf(wire),
    description: wire.description,
    environment: wire.environment,
    task: wire.task,
    params,
    isNoop: wire.noop,
    scope: scopeOf(scope, { kind: 'environment', environment: wire.environment }),
    options: withoutAbsent({ ...wire, scope }),
  };
}

/** @throws ServiceError `validation-error` */
export function decodeCommand(body: Buffer): CommandOrder {
  const { scope, ...wire } = decodeWith(CommandWire, bodyIn(body));
  return {
    ...limitsOf(wire),
    description: wire.description,
    command: wire.command,
    scope: scopeOf(scope, nowhere),
    options: withoutAbsent({ ...wire, scope }),
  };
}

/** @throws ServiceError `validation-error` */
export function decodeScript(body: Buffer): ScriptOrder {
  const { arguments: words, content, scope, ...wire } = decodeWith(ScriptWire, bodyIn(body));
  return {
    ...limitsOf(wire),
    description: wire.description,
    environment: wire.environment,
    name: wire.name,
    content,
    words,
    scope: scopeOf(scope, { kind: 'environment', environment: wire.environment }),
    options: withoutAbsent({ ...wire, arguments: words, scope }),
  };
}

/** Commands belong to no environment, and so do not run on a whole one. */
const nowhere: Scope = { kind: 'nodes', nodes: [] };

/** @throws ServiceError `validation-error` */
export function decodeTargets(body: Buffer): {
  readonly scope: Scope;
  readonly task: string | undefined;
  readonly limit: number;
} {
  const { environment, limit, order, scope, task } = decodeWith(TargetsWire, bodyIn(body));
  const whole: Scope = { kind: 'environment', environment };
  return { limit, task, scope: order === undefined ? scopeOf(scope ?? {}, whole) : orderOf(order) };
}

/** @throws ServiceError `validation-error` */
export function decodeStop(body: Buffer): { readonly job: number; readonly isForced: boolean } {
  const { force, job } = decodeWith(StopWire, bodyIn(body));
  return { job: Number(job), isForced: force };
}

/** @throws ServiceError `validation-error` */
export function decodeInventoryNodes(body: Buffer): readonly string[] {
  return decodeWith(NodesWire, bodyIn(body)).nodes;
}

/** @throws ServiceError `validation-error` */
export function decodeJobId(text: string | undefined): number {
  const id = Number(text);
  if (!/^\d{1,15}$/.test(text ?? '') || !Number.isSafeInteger(id))
    throw orchestratorError('validation-error', `'${text}' is not a job number`);
  return id;
}

/** @throws ServiceError `validation-error` */
export function decodePage(query: URLSearchParams): JobPage {
  const orderBy = oneOf(query, 'order_by', orderKeys);
  const order = oneOf(query, 'order', ['asc', 'desc'] as const);
  return {
    limit: count(query, 'limit'),
    offset: count(query, 'offset') ?? 0,
    orderBy: orderBy ?? 'name',
    // The newest first, unless somebody wants an order.
    isDescending: order === 'desc' || (order === undefined && orderBy === undefined),
    type: oneOf(query, 'type', jobTypes),
    task: query.get('task') ?? undefined,
    state: oneOf(query, 'state', jobStates),
    finishedFrom: time(query, 'min_finish_timestamp'),
    finishedUntil: time(query, 'max_finish_timestamp'),
  };
}

/** @throws ServiceError `validation-error` */
export function decodeNodePage(query: URLSearchParams): NodePage {
  return {
    limit: count(query, 'limit'),
    offset: count(query, 'offset') ?? 0,
    orderBy: oneOf(query, 'order_by', nodeOrderKeys) ?? 'name',
    isDescending: oneOf(query, 'order', ['asc', 'desc'] as const) === 'desc',
    state: oneOf(query, 'state', nodeStates),
  };
}

/** @throws ServiceError `validation-error` */
export function decodeStart(query: URLSearchParams): number {
  return count(query, 'start') ?? 0;
}

/** The first event that a client that comes back has not had. @param lastEventId - the header `Last-Event-ID` */
export function decodeStreamStart(query: URLSearchParams, lastEventId: string | undefined): number {
  return lastEventId !== undefined && /^\d{1,15}$/.test(lastEventId)
    ? Number(lastEventId) + 1
    : decodeStart(query);
}

/** How long a client waits for the next event. @throws ServiceError `validation-error` */
export function decodeWaitMs(query: URLSearchParams): number {
  return Math.min(count(query, 'wait') ?? 0, 60) * 1000;
}

/** @throws ServiceError `validation-error` */
export function decodeEnvironment(query: URLSearchParams): string {
  const name = query.get('environment') ?? 'production';
  if (!Environment.safeParse(name).success)
    throw orchestratorError('validation-error', `'${name}' is not a valid environment name`);
  return name;
}

/** What the API shows of a run on a whole environment. */
const wholeScope = { scope: { whole_environment: true } } as const;

const orderKeys: readonly JobOrderKey[] = ['owner', 'timestamp', 'environment', 'name', 'state'];

const nodeOrderKeys: readonly NodeOrderKey[] = [
  'name',
  'duration',
  'state',
  'start_timestamp',
  'finish_timestamp',
];

function scopeOf(wire: z.infer<typeof ScopeWire>, whole: Scope): Scope {
  if (wire.nodes !== undefined) return { kind: 'nodes', nodes: wire.nodes };
  if (wire.query !== undefined) return { kind: 'query', query: wire.query };
  if (wire.connection_group !== undefined) return { kind: 'connection-group', name: wire.connection_group };
  return wire.node_group === undefined ? whole : { kind: 'node-group', id: wire.node_group };
}

function orderOf(order: 'infrastructure' | z.infer<typeof OrderWire>): Scope {
  return order === 'infrastructure' ? { kind: 'infrastructure' } : { kind: 'order', levels: order };
}

/** How many nodes run at once, and how many may fail. */
function limitsOf(wire: {
  readonly concurrency?: number | null | undefined;
  readonly batch?: Share | readonly Share[] | undefined;
  readonly max_failures?: Share | undefined;
}): Pick<DeployOrder, 'concurrency' | 'batch' | 'maxFailures'> {
  const { batch, concurrency, max_failures: maxFailures } = wire;
  return {
    ...(concurrency === null || concurrency === undefined ? {} : { concurrency }),
    ...(batch === undefined ? {} : { batch: [batch].flat() }),
    ...(maxFailures === undefined ? {} : { maxFailures }),
  };
}

function picked<Name extends string, Value>(
  wire: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): Readonly<Partial<Record<Name, Value>>> {
  const found = names.filter((name) => wire[name] !== undefined).map((name) => [name, wire[name]] as const);
  return Object.fromEntries(found) as Partial<Record<Name, Value>>;
}

function withoutAbsent(wire: object): DeployOrder['options'] {
  return Object.fromEntries(
    Object.entries(wire).filter(([, value]) => value !== undefined && value !== null),
  );
}

/** @throws ServiceError `validation-error` */
export function oneOf<Name extends string>(
  query: URLSearchParams,
  parameter: string,
  names: readonly Name[],
): Name | undefined {
  const text = query.get(parameter);
  if (text === null) return undefined;
  const found = names.find((name) => name === text);
  if (found === undefined)
    throw orchestratorError('validation-error', `${parameter} is one of ${names.join(', ')}, not '${text}'`);
  return found;
}

/** @throws ServiceError `validation-error` */
export function count(query: URLSearchParams, parameter: string): number | undefined {
  return countParameter(query, parameter, (text) =>
    orchestratorError('validation-error', `${parameter} is a number from 0, not '${text}'`),
  );
}

function time(query: URLSearchParams, parameter: string): Date | undefined {
  const text = query.get(parameter);
  if (text === null) return undefined;
  const found = new Date(text);
  if (Number.isNaN(found.getTime()))
    throw orchestratorError('validation-error', `${parameter} is a time in ISO 8601, not '${text}'`);
  return found;
}

const bodies = new JsonBodies({
  notJson: () => orchestratorError('validation-error', 'The body is not JSON'),
  misshapen: ({ issues: [first] }) =>
    orchestratorError('validation-error', `${first?.path || 'The body'}: ${first?.message}`),
});

/** @throws ServiceError `validation-error` naming the field */
export function decodeWith<T extends z.ZodType>(shape: T, body: unknown): z.infer<T> {
  return bodies.check(shape, body);
}

/** @throws ServiceError `validation-error` */
export function bodyIn(body: Buffer): unknown {
  return bodies.parse(body);
}
