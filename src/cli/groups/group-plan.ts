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

/** By the id, the name, then by the former name. */
function findBefore(
  current: readonly WireGroup[],
  { environment, formerly, id, name }: FileGroup,
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

function parentOf({ name, parent }: FileGroup, before: WireGroup | undefined, all: readonly Named[]): string {
  if (parent === undefined || before?.id === rootId) return rootId;
  const found = all.filter((group) => group.name === parent || group.id === parent);
  const [only] = found;
  if (only === undefined) throw new Error(`The parent of ${name}, ${parent}, does not exist`);
  if (found.length > 1)
    throw new Error(`There are several groups ${parent}: name the parent of ${name} by its id`);
  return only.id;
}

function groupOf(file: FileGroup, id: string, before: WireGroup | undefined, parent: string): WireGroup {
  const pins = file.pins ?? splitRule(before?.rule).pins;
  const wanted = joinRule({ ...(file.rule === undefined ? {} : { rule: file.rule }), pins });
  // The rule of the root group never changes. The order of pins does not matter.
  const rule = id === rootId || isSameRule(wanted, before?.rule) ? before?.rule : wanted;
  return {
    id,
    name: file.name,
    ...(file.description === undefined ? {} : { description: file.description }),
    parent,
    environment: file.environment,
    environment_trumps: file.environment_trumps,
    ...(rule === undefined ? {} : { rule }),
    classes: Object.fromEntries(Object.entries(file.classes).map(([name, values]) => [name, values ?? {}])),
    variables: file.variables,
    config_data: file.config_data,
    ...(before?.serial_number === undefined ? {} : { serial_number: before.serial_number }),
  };
}
