/** Groups and their changes as clients send them. */

import { z } from 'zod';
import type { JsonObject } from '../../lib/json.ts';
import { type Condition, decodeCondition } from './condition.ts';
import { defaultEnvironment, type Group, type GroupDefinition } from './group.ts';
import { bodies, Id, Name, Values } from './json-bodies.ts';

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

export const GroupWire = z.strictObject(groupFields);

export const ChangesWire = z.strictObject({
  groups: z.array(GroupWire.required({ id: true })).default([]),
  deleted: z.array(z.strictObject({ id: Id, serial_number: z.int().optional() })).default([]),
});

export const DeltaWire = z.strictObject({
  ...groupFields,
  name: Name.optional(),
  environment: Name.optional(),
  environment_trumps: z.boolean().optional(),
  parent: Id.optional(),
  classes: z.record(z.string(), Values.nullable()).optional(),
  variables: Values.optional(),
  config_data: z.record(z.string(), Values.nullable()).optional(),
});

/** An operator with what it applies to. `decodeCondition` says more. */
export const RuleWire = z.array(z.unknown()).min(1);

/** Changes of a group: absent members stay, `null` removes. */
export interface GroupDelta {
  readonly id: string | undefined;
  readonly serialNumber: number | undefined;
  /** `null` removes the rule. */
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

/** Clients that have no word for "no rule" send an empty list, and the module node_manager one with an empty text. */
function isAbsent(rule: unknown): boolean {
  if (rule === undefined || rule === null) return true;
  return Array.isArray(rule) && (rule.length === 0 || (rule.length === 1 && rule[0] === ''));
}
