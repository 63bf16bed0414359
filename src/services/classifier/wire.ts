/** Groups, nodes and classifications as they cross the network. */

import { z } from 'zod';
import type { JsonObject } from '../../lib/json.ts';
import { allMistakes, JsonBodies } from '../../lib/json-body.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { CheckIn } from './check-ins/check-in.ts';
import type { Steps } from './classify.ts';
import { type ClassifiedNode, type Condition, decodeCondition } from './condition.ts';
import { type ConflictDetail, type Conflicts, describeConflicts } from './conflicts.ts';
import { type Classification, defaultEnvironment, type Group, type GroupDefinition } from './group.ts';

const bodies = new JsonBodies({
  notJson: (body, cause) =>
    new ServiceError('bad-request', 'The body of your request is not valid JSON.', {
      kind: 'malformed-request',
      details: { body, error: String(cause) },
      cause,
    }),
  misshapen({ issues, shape, submitted }) {
    const error = allMistakes({ issues });
    const message = `The object you submitted does not conform to the schema. The problem is: ${error}`;
    const schema = z.toJSONSchema(shape, { io: 'input' });
    return new ServiceError('bad-request', message, {
      kind: 'schema-violation',
      details: { submitted, schema, error },
    });
  },
});

const Id = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, 'is not a UUID');
const Name = z.string().min(1);
const Values = z.record(z.string(), z.json());

const groupFields = {
  id: Id.optional(),
  name: Name,
  description: z.string().optional(),
  environment: Name.default(defaultEnvironment),
  environment_trumps: z.boolean().default(false),
  parent: Id,
  /** Read by `decodeCondition`. */
  rule: z.unknown().optional(),
  classes: z.record(z.string(), Values),
  variables: Values.default({}),
  // Members of our own answers, which clients send back when they restore groups.
  serial_number: z.int().optional(),
  last_edited: z.string().optional(),
  deleted: z.unknown().optional(),
  config_data: z.record(z.string(), Values).default({}),
};

const GroupWire = z.strictObject(groupFields);

const ChangesWire = z.strictObject({
  groups: z.array(GroupWire.required({ id: true })).default([]),
  deleted: z.array(z.strictObject({ id: Id, serial_number: z.int().optional() })).default([]),
});

const DeltaWire = z.strictObject({
  ...groupFields,
  name: Name.optional(),
  environment: Name.optional(),
  environment_trumps: z.boolean().optional(),
  parent: Id.optional(),
  classes: z.record(z.string(), Values.nullable()).optional(),
  variables: Values.optional(),
  config_data: z.record(z.string(), Values.nullable()).optional(),
});

const NodesWire = z.strictObject({ nodes: z.array(Name) });

const FactsWire = z.object({
  fact: Values.default({}),
  trusted: Values.default({}),
  transaction_uuid: z.string().max(200).optional(),
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // The answer of the schema says so.
    return false;
  }
}

const CheckInsWire = z.object({
  check_ins: z
    .array(
      z.object({
        name: Name,
        time: z.iso.datetime(),
        transaction_uuid: z.string().max(200).optional(),
        /** Stored as it came. */
        explanation: z.string().refine(isJson, 'is not JSON'),
      }),
    )
    .max(1000),
});

/** What is to be changed of a group; what is absent stays, what is `null` goes. */
export interface GroupDelta {
  readonly id: string | undefined;
  readonly serialNumber: number | undefined;
  /** `null`: the rule goes. */
  readonly rule?: Condition | null;
  readonly fields: Partial<
    Pick<GroupDefinition, 'name' | 'description' | 'environment' | 'environmentTrumps' | 'parent'>
  >;
  readonly classes: Readonly<Record<string, JsonObject | null>>;
  readonly variables: JsonObject;
  readonly configData: Readonly<Record<string, JsonObject | null>>;
}

/** @throws ServiceError `bad-request` */
export function decodeGroup(body: Buffer): GroupDefinition & { readonly id: string | undefined } {
  return groupOf(bodies.decode(GroupWire, body));
}

/** A whole hierarchy, as the list of groups has it. @throws ServiceError `bad-request` */
export function decodeHierarchy(body: Buffer): readonly (GroupDefinition & { readonly id: string })[] {
  return bodies.decode(z.array(GroupWire.required({ id: true })), body).map((wire) => ({
    ...groupOf(wire),
    id: wire.id,
  }));
}

/** A group that is changed as a whole, or made. */
export type GroupChange = GroupDefinition & {
  readonly id: string;
  /** Of the group that the change was made from; it is refused when there is a later one. */
  readonly serialNumber: number | undefined;
};

/** Groups that are changed, made and deleted in one step. */
export interface GroupChanges {
  readonly groups: readonly GroupChange[];
  readonly deleted: readonly Pick<GroupChange, 'id' | 'serialNumber'>[];
}

/** `{"groups": [...], "deleted": [...]}`: groups whole and with their ids. @throws ServiceError `bad-request` */
export function decodeChanges(body: Buffer): GroupChanges {
  const { deleted, groups } = bodies.decode(ChangesWire, body);
  return {
    groups: groups.map((wire) => ({ ...groupOf(wire), id: wire.id, serialNumber: wire.serial_number })),
    deleted: deleted.map(({ id, serial_number: serialNumber }) => ({ id, serialNumber })),
  };
}

/** Groups that another server hands out, which may be of a later version. @throws ServiceError `bad-request` */
export function decodeCopiedGroups(body: Buffer): readonly Group[] {
  return bodies.decode(z.array(z.object(groupFields).required({ id: true })), body).map((wire) => ({
    ...groupOf(wire),
    id: wire.id,
    serialNumber: wire.serial_number ?? 0,
    lastEdited: new Date(wire.last_edited ?? 0),
  }));
}

function groupOf(wire: z.infer<typeof GroupWire>): GroupDefinition & { readonly id: string | undefined } {
  return {
    id: wire.id,
    name: wire.name,
    ...(wire.description === undefined ? {} : { description: wire.description }),
    parent: wire.parent,
    environment: wire.environment,
    environmentTrumps: wire.environment_trumps,
    ...(isAbsent(wire.rule) ? {} : { rule: decodeCondition(wire.rule) }),
    classes: wire.classes,
    variables: wire.variables,
    configData: wire.config_data,
  };
}

/** @throws ServiceError `bad-request` */
export function decodeDelta(body: Buffer): GroupDelta {
  const wire = bodies.decode(DeltaWire, body);
  const { description, environment, environment_trumps: environmentTrumps, name, parent, rule } = wire;
  const fields = { name, description, environment, environmentTrumps, parent };
  return {
    id: wire.id,
    serialNumber: wire.serial_number,
    ...(rule === undefined ? {} : { rule: isAbsent(rule) ? null : decodeCondition(rule) }),
    fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
    classes: wire.classes ?? {},
    variables: wire.variables ?? {},
    configData: wire.config_data ?? {},
  };
}

/** @throws ServiceError `bad-request` */
export function decodeRule(body: Buffer): Condition {
  return decodeCondition(bodies.parse(body));
}

/** The names of `?nodes=a,b` or of `{"nodes": ["a", "b"]}`. @throws ServiceError `bad-request` */
export function decodeNodes(query: URLSearchParams, body: Buffer): readonly string[] {
  const listed = query.get('nodes');
  if (listed !== null) return listed.split(',').filter((name) => name !== '');
  if (body.length > 0) return bodies.decode(NodesWire, body).nodes;
  throw new ServiceError('bad-request', 'The query parameter `nodes` is missing, and there is no body.', {
    kind: 'missing-parameters',
  });
}

/** @throws ServiceError `bad-request` */
export function decodeNode(name: string, body: Buffer): ClassifiedNode {
  return decodeAsked(name, body).node;
}

/** A node, and the Puppet run that it is to be classified for, if any. @throws ServiceError `bad-request` */
export function decodeAsked(
  name: string,
  body: Buffer,
): { readonly node: ClassifiedNode; readonly transactionUuid: string | undefined } {
  const wire = bodies.decode(FactsWire, body.length === 0 ? Buffer.from('{}') : body);
  const { fact, transaction_uuid: transactionUuid, trusted } = wire;
  return { node: { name, fact, trusted }, transactionUuid };
}

/** What another server of the installation has classified. @throws ServiceError `bad-request` */
export function decodeCheckIns(body: Buffer): readonly CheckIn[] {
  return bodies.decode(CheckInsWire, body).check_ins.map((wire) => ({
    certname: wire.name,
    time: new Date(wire.time),
    transactionUuid: wire.transaction_uuid,
    explanation: wire.explanation,
  }));
}

/** @throws ServiceError `bad-request` */
export function decodeId(text: string): string {
  if (Id.safeParse(text).success) return text;
  throw new ServiceError('bad-request', `"${text}" is not a valid UUID.`, {
    kind: 'malformed-uuid',
    details: { submitted: text },
  });
}

export function renderGroup(group: Group) {
  return { ...renderDefinition(group), ...renderState(group) };
}

/** A group that was only tried out. @param id - that it was given */
export function renderTriedOut(group: Group, id: string | undefined) {
  const { id: _id, ...definition } = renderDefinition(group);
  return id === undefined ? definition : { ...definition, id };
}

/** With what it inherits. */
export function renderInherited(group: Group, inherited: Classification, rule: Condition | undefined) {
  return { ...renderDefinition({ ...group, ...inherited }, rule), ...renderState(group) };
}

export function renderClassified(name: string, { final, leaves, matching, conflicts }: Steps) {
  if (final === undefined) throw conflictError(leaves, conflicts ?? {});
  return {
    name,
    groups: matching.map(({ id }) => id),
    environment: final.environment,
    classes: final.classes,
    parameters: final.variables,
  };
}

/** The second version of the same: groups with their names. */

export function renderShort(name: string, steps: Steps) {
  const groups = steps.matching.map(({ id, name: group }) => ({ id, name: group }));
  return {
    ...renderClassified(name, steps),
    config_data: steps.final?.configData ?? {},
    groups: groups.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name))),
  };
}

/** @returns what is told of a node that its groups disagree on */
function conflictError(leaves: Steps['leaves'], conflicts: Conflicts): ServiceError {
  return new ServiceError('compile-failed', describeConflicts(leaves, conflicts), {
    kind: 'classification-conflict',
    details: { ...renderConflicts(conflicts) },
  });
}

export function renderConflicts({ classes, configData, environment, variables }: Conflicts) {
  const renderClasses = (found: NonNullable<Conflicts['classes']>) =>
    mapValues(found, (each) => mapValues(each, renderAll));
  return {
    ...(environment === undefined ? {} : { environment: environment.map(renderDetail) }),
    ...(classes === undefined ? {} : { classes: renderClasses(classes) }),
    ...(configData === undefined ? {} : { config_data: renderClasses(configData) }),
    ...(variables === undefined ? {} : { variables: mapValues(variables, renderAll) }),
  };
}

export function renderClassification({
  classes,
  configData,
  environment,
  variables,
}: Omit<Classification, 'environmentTrumps'>) {
  return { environment, classes, variables, config_data: configData };
}

function renderDefinition(definition: GroupDefinition & { readonly id: string }, rule = definition.rule) {
  return {
    name: definition.name,
    id: definition.id,
    ...(definition.description === undefined ? {} : { description: definition.description }),
    environment: definition.environment,
    environment_trumps: definition.environmentTrumps,
    parent: definition.parent,
    ...(rule === undefined ? {} : { rule }),
    classes: definition.classes,
    variables: definition.variables,
    config_data: definition.configData,
  };
}

function renderState({ lastEdited, serialNumber }: Group) {
  return { last_edited: lastEdited.toISOString(), serial_number: serialNumber };
}

function renderAll(details: readonly ConflictDetail[]) {
  return details.map(renderDetail);
}

function renderDetail({ definedBy, from, value }: ConflictDetail) {
  return { value, from: renderGroup(from), defined_by: renderGroup(definedBy) };
}

function mapValues<T, R>(
  values: Readonly<Record<string, T>>,
  render: (value: T) => R,
): Readonly<Record<string, R>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, render(value)]));
}

/** Clients that have no word for "no rule" send an empty list, and the module node_manager one with an empty text. */
function isAbsent(rule: unknown): boolean {
  if (rule === undefined || rule === null) return true;
  return Array.isArray(rule) && (rule.length === 0 || (rule.length === 1 && rule[0] === ''));
}

/** What a classifier answers, as far as it is needed to compile a catalog. */
export const ClassifiedWire = z.union([
  z.object({
    environment: z.string(),
    classes: z.record(z.string(), Values),
    parameters: Values,
    /** Absent from primaries of before. */
    config_data: z.record(z.string(), Values).default({}),
    class_sources: z.record(z.string(), z.array(z.string())).optional(),
  }),
  z.object({ kind: z.literal('classification-conflict'), msg: z.string() }),
]);
