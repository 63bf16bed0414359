/** From the groups there are to those that files name. */

import { isDeepStrictEqual } from 'node:util';
import type { WireGroup } from './connection.ts';
import type { FileGroup } from './group-file.ts';
import { isSameRule, joinRule, splitRule } from './pins.ts';

export interface PlannedGroup {
  /** Absent for a new group. */
  readonly before: WireGroup | undefined;
  readonly after: WireGroup;
}

/**
 * The groups that are to be changed or made, as the files have them. Groups that no file names stay.
 *
 * @param newId - a random UUID
 * @throws Error for a group that is named twice, or whose name or parent is unknown or ambiguous
 */
export function planGroups(
  current: readonly WireGroup[],
  files: readonly FileGroup[],
  newId: () => string,
): readonly PlannedGroup[] {
  const pairs = files.map((file) => {
    checkRemoved(file);
    const before = findBefore(current, file);
    return { file, before, id: before?.id ?? file.id ?? newId() };
  });
  const byId = new Map<string, string>();
  for (const { file, id } of pairs) {
    if (byId.has(id)) throw new Error(`The files name the group ${byId.get(id)} twice`);
    byId.set(id, file.name);
  }
  const names = [
    ...current.filter(({ id }) => !byId.has(id)),
    ...pairs.map(({ file, id }) => ({ id, name: file.name })),
  ];
  return pairs
    .map(({ before, file, id }) => ({
      before,
      after: groupOf(file, id, before, parentOf(file, before, names)),
    }))
    .filter(({ after, before }) => !isDeepStrictEqual(before, after));
}

/** @throws Error for what a file removes from a group that is its own as a whole, or also names */
function checkRemoved({ classes, config_data: data, name, remove, rest, variables }: FileGroup): void {
  const removed = [
    ...remove.classes.map((each) => [`class ${each}`, classes[each]] as const),
    ...Object.entries(remove.parameters).flatMap(([each, names]) =>
      names.map((parameter) => [`${each}::${parameter}`, classes[each]?.[parameter]] as const),
    ),
    ...remove.variables.map((each) => [`variable ${each}`, variables[each]] as const),
    ...Object.entries(remove.config_data).flatMap(([each, names]) =>
      names.map((parameter) => [`data ${each}::${parameter}`, data[each]?.[parameter]] as const),
    ),
  ];
  const [first] = removed;
  if (first !== undefined && rest === 'file')
    throw new Error(
      `The file has all of ${name}: leave out what to remove, and use "remove" with "rest: people" only`,
    );
  const twice = removed.find(([, value]) => value !== undefined);
  if (twice !== undefined) throw new Error(`The file removes ${twice[0]} of ${name}, and names it`);
}

/** By the id, the name, then by the former name. */
function findBefore(
  current: readonly WireGroup[],
  { environment = 'production', formerly, id, name }: FileGroup,
): WireGroup | undefined {
  if (id !== undefined) return current.find((group) => group.id === id);
  const named = current.filter((group) => group.name === name);
  const [only] = named;
  if (named.length === 1) return only;
  const here = named.filter((group) => group.environment === environment);
  if (here.length === 1) return here[0];
  if (named.length > 1)
    throw new Error(`There are several groups ${name}: give the id of the one that is meant`);
  const former = current.filter((group) => group.name === formerly);
  if (former.length > 1)
    throw new Error(`There are several groups ${formerly}: give the id of the one that is meant`);
  return former[0];
}

interface Named {
  readonly id: string;
  readonly name: string;
}

const rootId = '00000000-0000-4000-8000-000000000000';

function parentOf(
  { name, parent, rest }: FileGroup,
  before: WireGroup | undefined,
  all: readonly Named[],
): string {
  if (before?.id === rootId) return rootId;
  if (parent === undefined) return (rest === 'people' ? before?.parent : undefined) ?? rootId;
  const found = all.filter((group) => group.name === parent || group.id === parent);
  const [only] = found;
  if (only === undefined) throw new Error(`The parent of ${name}, ${parent}, does not exist`);
  if (found.length > 1)
    throw new Error(`There are several groups ${parent}: name the parent of ${name} by its id`);
  return only.id;
}

function groupOf(file: FileGroup, id: string, before: WireGroup | undefined, parent: string): WireGroup {
  // What people have of the group, besides what the file has of it.
  const others = file.rest === 'people' ? before : undefined;
  const { pins: pinsBefore, rule: ruleBefore } = splitRule(before?.rule);
  const own = file.rule ?? (others === undefined ? undefined : ruleBefore);
  const wanted = joinRule({ ...(own === undefined ? {} : { rule: own }), pins: file.pins ?? pinsBefore });
  // The rule of the root group never changes. The order of pins does not matter.
  const rule = id === rootId || isSameRule(wanted, before?.rule) ? before?.rule : wanted;
  const description = file.description ?? others?.description;
  return {
    id,
    name: file.name,
    ...(description === undefined ? {} : { description }),
    parent,
    environment: file.environment ?? others?.environment ?? 'production',
    environment_trumps: file.environment_trumps ?? others?.environment_trumps ?? false,
    ...(rule === undefined ? {} : { rule }),
    ...valuesOf(file, others),
    ...(before?.serial_number === undefined ? {} : { serial_number: before.serial_number }),
  };
}

type Values = Pick<WireGroup, 'classes' | 'variables' | 'config_data'>;

function valuesOf(
  { classes, config_data: data, remove, variables }: FileGroup,
  others: Values | undefined,
): Values {
  const kept = without(others?.classes ?? {}, remove.classes);
  return {
    classes: joined(lessOf(kept, remove.parameters), classes),
    variables: { ...without(others?.variables ?? {}, remove.variables), ...variables },
    config_data: joined(lessOf(others?.config_data ?? {}, remove.config_data), data),
  };
}

type Classes = WireGroup['classes'];

/** By class and parameter. */
function joined(others: Classes, own: FileGroup['classes']): Classes {
  const named = Object.entries(own).map(([name, values]) => [name, { ...others[name], ...values }] as const);
  return { ...others, ...Object.fromEntries(named) };
}

/** Classes without some of their parameters. */
function lessOf(classes: Classes, parameters: Readonly<Record<string, readonly string[]>>): Classes {
  return Object.fromEntries(
    Object.entries(classes).map(([name, values]) => [name, without(values, parameters[name] ?? [])]),
  );
}

function without<T>(members: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
}
