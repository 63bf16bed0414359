/** Where groups of different branches say different things of the same. */

import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../lib/json.ts';
import type { Leaf } from './classify.ts';
import type { Classification, Group } from './group.ts';
import type { Hierarchy } from './hierarchy.ts';

/** One of the values, who brought it, and who of his ancestors said so. */
export interface ConflictDetail {
  readonly value: Json;
  readonly from: Group;
  readonly definedBy: Group;
}

/** Without what there are no conflicts of. */
export interface Conflicts {
  readonly environment?: readonly ConflictDetail[];
  readonly classes?: ClassConflicts;
  readonly configData?: ClassConflicts;
  readonly variables?: Readonly<Record<string, readonly ConflictDetail[]>>;
}

/** By class and parameter. */
type ClassConflicts = Readonly<Record<string, Readonly<Record<string, readonly ConflictDetail[]>>>>;

/** Reads one value of a classification. */
type Read = (classification: Classification) => Json | undefined;

export function findConflicts(hierarchy: Hierarchy, leaves: readonly Leaf[]): Conflicts | undefined {
  const of = (read: Read, among = leaves) => detailsOf(hierarchy, among, read);
  const environment = environmentConflict(leaves, of);
  const variables = perName(
    leaves,
    ({ variables: each }) => each,
    (name) => of((from) => own(from.variables, name)),
  );
  const classes = classConflicts(leaves, ({ classes: each }) => each, of);
  const configData = classConflicts(leaves, (each) => each.configData, of);
  const count = [variables, classes, configData].reduce((sum, each) => sum + Object.keys(each).length, 0);
  if (environment.length + count === 0) return undefined;
  return {
    ...(environment.length === 0 ? {} : { environment }),
    ...(Object.keys(classes).length === 0 ? {} : { classes }),
    ...(Object.keys(configData).length === 0 ? {} : { configData }),
    ...(Object.keys(variables).length === 0 ? {} : { variables }),
  };
}

/** In one sentence, as the agent shows it. */
export function describeConflicts(leaves: readonly Leaf[], conflicts: Conflicts): string {
  const inConflict = new Set(groupsIn(conflicts));
  const groups = sentence(leaves.flatMap(({ group }) => (inConflict.has(group) ? [group.name] : [])));
  const things = [
    ...(conflicts.environment === undefined ? [] : ['the environment']),
    ...(conflicts.classes === undefined
      ? []
      : [`class parameters for ${sentence(Object.keys(conflicts.classes))} classes`]),
    ...(conflicts.configData === undefined
      ? []
      : [`configuration data for ${sentence(Object.keys(conflicts.configData))} classes`]),
    ...(conflicts.variables === undefined
      ? []
      : [`variables named ${sentence(Object.keys(conflicts.variables))}`]),
  ];
  return (
    `The node was classified into groups named ${groups} that defined conflicting values for ` +
    `${things.join(', ')}. See the \`details\` key for all conflicts.`
  );
}

/** Those that said different things. */
function groupsIn({
  classes = {},
  configData = {},
  environment = [],
  variables = {},
}: Conflicts): readonly Group[] {
  const byParameter = [classes, configData].flatMap((found) => Object.values(found).flatMap(Object.values));
  const all = [
    environment,
    ...Object.values(variables),
    ...byParameter,
  ] as readonly (readonly ConflictDetail[])[];
  return all.flatMap((details) => details.map(({ from }) => from));
}

/** One group whose environment trumps decides; several decide only where they agree. */
function environmentConflict(
  leaves: readonly Leaf[],
  of: (read: Read, among?: readonly Leaf[]) => readonly ConflictDetail[],
): readonly ConflictDetail[] {
  const trumps = leaves.filter(({ inherited }) => inherited.environmentTrumps);
  return of(({ environment }) => environment, trumps.length === 0 ? leaves : trumps);
}

/** @param choose - the classes that a group declares, or those that it has data for */
function classConflicts(
  leaves: readonly Leaf[],
  choose: (classification: Classification) => Classification['classes'],
  of: (read: Read) => readonly ConflictDetail[],
): ClassConflicts {
  const names = new Set(leaves.flatMap(({ inherited }) => Object.keys(choose(inherited))));
  const found = Array.from(names, (name) => {
    const parameters = perName(
      leaves,
      (classification) => own(choose(classification), name) ?? {},
      (parameter) => of((classification) => own(own(choose(classification), name) ?? {}, parameter)),
    );
    return [name, parameters] as const;
  });
  return Object.fromEntries(found.filter(([, parameters]) => Object.keys(parameters).length > 0));
}

function perName(
  leaves: readonly Leaf[],
  values: (classification: Classification) => Readonly<Record<string, unknown>>,
  of: (name: string) => readonly ConflictDetail[],
): Readonly<Record<string, readonly ConflictDetail[]>> {
  const names = new Set(leaves.flatMap(({ inherited }) => Object.keys(values(inherited))));
  const found = Array.from(names, (name) => [name, of(name)] as const);
  return Object.fromEntries(found.filter(([, details]) => details.length > 0));
}

/** @returns nothing where all say the same */
function detailsOf(hierarchy: Hierarchy, leaves: readonly Leaf[], read: Read): readonly ConflictDetail[] {
  const said = leaves.flatMap(({ group, inherited }) => {
    const value = read(inherited);
    return value === undefined ? [] : [{ value, from: group }];
  });
  const [first] = said;
  if (first === undefined || said.every(({ value }) => isDeepStrictEqual(value, first.value))) return [];
  return said.map(({ from, value }) => ({ value, from, definedBy: definer(hierarchy, from, value, read) }));
}

function definer(hierarchy: Hierarchy, from: Group, value: Json, read: Read): Group {
  const chain = [from, ...hierarchy.ancestorsOf(from)];
  return chain.find((group) => isDeepStrictEqual(read(group), value)) ?? from;
}

function own<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function sentence(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  const last = quoted.at(-1) ?? '';
  if (quoted.length < 2) return last;
  return `${quoted.slice(0, -1).join(', ')}${quoted.length > 2 ? ',' : ''} and ${last}`;
}
