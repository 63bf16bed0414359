/** Changes of node groups that have not been committed, in words. */

import { othersOf, pinsOf } from './group-rule.ts';

export type Values = Readonly<Record<string, unknown>>;
export type ClassValues = Readonly<Record<string, Values>>;

/** What people edit of a group. */
export interface GroupDefinition {
  readonly id: string;
  readonly name: string;
  readonly parent: string;
  readonly environment: string;
  readonly environment_trumps: boolean;
  readonly description?: string;
  readonly rule?: unknown;
  readonly classes: ClassValues;
  readonly variables: Values;
  readonly config_data: ClassValues;
  /** Which version was edited; absent for a group that is new. */
  readonly serial_number?: number;
}

/** A group as it is sent back: without what only answers have. */
export function definitionOf(row: GroupDefinition): GroupDefinition {
  const { classes, config_data, description, environment, environment_trumps, id, name, parent, rule } = row;
  return {
    id,
    name,
    parent,
    environment,
    environment_trumps,
    ...(description === undefined ? {} : { description }),
    ...(rule === undefined ? {} : { rule }),
    classes,
    variables: row.variables,
    config_data,
    ...(row.serial_number === undefined ? {} : { serial_number: row.serial_number }),
  };
}

/** One sentence for each thing that differs. @param before - absent for a group that is new */
export function editsBetween(
  before: GroupDefinition | undefined,
  after: GroupDefinition,
  nameOf: (id: string) => string = (id) => id,
): readonly string[] {
  const start = before ?? { ...after, rule: undefined, classes: {}, variables: {}, config_data: {} };
  return [
    ...(before === undefined ? [`Add the group ${after.name}`] : fieldEdits(before, after, nameOf)),
    ...ruleEdits(start.rule, after.rule),
    ...classEdits(start.classes, after.classes),
    ...dataEdits(start.config_data, after.config_data),
    ...valueEdits('variable', start.variables, after.variables),
  ];
}

function fieldEdits(
  before: GroupDefinition,
  after: GroupDefinition,
  nameOf: (id: string) => string,
): readonly string[] {
  const trumps = after.environment_trumps ? 'Override' : 'Do not override';
  return [
    ...(before.name === after.name ? [] : [`Change the name to ${after.name}`]),
    ...(before.parent === after.parent ? [] : [`Move below ${nameOf(after.parent)}`]),
    ...(before.environment === after.environment ? [] : [`Change the environment to ${after.environment}`]),
    ...(before.environment_trumps === after.environment_trumps
      ? []
      : [`${trumps} the environment of other groups`]),
    ...((before.description ?? '') === (after.description ?? '') ? [] : ['Change the description']),
  ];
}

function ruleEdits(before: unknown, after: unknown): readonly string[] {
  const [from, to] = [pinsOf(before), pinsOf(after)];
  const pinned = to.filter((name) => !from.includes(name)).map((name) => `Pin ${name}`);
  const unpinned = from.filter((name) => !to.includes(name)).map((name) => `Unpin ${name}`);
  const isSame = JSON.stringify(othersOf(before)) === JSON.stringify(othersOf(after));
  return [...pinned, ...unpinned, ...(isSame ? [] : ['Change the rule'])];
}

function classEdits(before: ClassValues, after: ClassValues): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Array.from(names).flatMap((name) => {
    const [from, to] = [before[name], after[name]];
    if (to === undefined) return [`Remove the class ${name}`];
    const added = from === undefined ? [`Add the class ${name}`] : [];
    return [...added, ...valueEdits(`parameter ${name}::`, from ?? {}, to)];
  });
}

function dataEdits(before: ClassValues, after: ClassValues): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Array.from(names).flatMap((name) =>
    valueEdits(`data ${name}::`, before[name] ?? {}, after[name] ?? {}),
  );
}

/** @param what - `variable`, or what stands right before the name: `parameter ntp::` */
function valueEdits(what: string, before: Values, after: Values): readonly string[] {
  const label = what.endsWith('::') ? what : `${what} `;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Array.from(names).flatMap((name) => {
    if (!(name in after)) return [`Remove the ${label}${name}`];
    if (JSON.stringify(before[name]) === JSON.stringify(after[name])) return [];
    return [`Set the ${label}${name} to ${JSON.stringify(after[name])}`];
  });
}

/** What is typed for a value: JSON where it is some, a text otherwise. */
export function typedValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The values with one more, or one changed. */
export function withValue(values: ClassValues, name: string, parameter: string, value: unknown): ClassValues {
  return { ...values, [name]: { ...values[name], [parameter]: value } };
}

/** The values without a parameter; a class whose data is all gone goes as well where `isData`. */
export function withoutValue(
  values: ClassValues,
  name: string,
  parameter: string,
  isData: boolean,
): ClassValues {
  const { [parameter]: _, ...rest } = values[name] ?? {};
  if (isData && Object.keys(rest).length === 0) return withoutName(values, name);
  return { ...values, [name]: rest };
}

export function withoutName<T>(
  values: Readonly<Record<string, T>>,
  name: string,
): Readonly<Record<string, T>> {
  const { [name]: _, ...rest } = values;
  return rest;
}
