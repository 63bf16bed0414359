/** The recorded change of a group: one event for each part that differs. Messages contain no values, which may be secret. */

import type { Json, JsonObject } from '../../lib/json.ts';
import type { Author, Change, ChangeDetails, ChangeEvent } from '../../platform/changes/index.ts';
import type { Condition } from './condition.ts';
import type { Group } from './group.ts';
import { partsOf, pinnedName } from './pinning.ts';
import { renderGroup } from './render.ts';
import { isSame } from './same-value.ts';

/**
 * Compares groups by their ID.
 *
 * @param before - the groups that may have changed, as they were
 * @returns one change for each group that differs in more than its serial number
 */
export function groupChanges(
  before: readonly Group[],
  after: readonly Group[],
  by: { readonly author: Author; readonly time: Date },
): readonly Change[] {
  const were = new Map(before.map((group) => [group.id, group]));
  const are = new Map(after.map((group) => [group.id, group]));
  return [...new Set([...were.keys(), ...are.keys()])].flatMap((id) => {
    const details = detailsOf(were.get(id), are.get(id));
    return details === undefined ? [] : [{ ...details, author: by.author, time: by.time }];
  });
}

function detailsOf(before: Group | undefined, after: Group | undefined): ChangeDetails | undefined {
  const group = after ?? before;
  const events = eventsOf(before, after);
  if (group === undefined || events.length === 0) return undefined;
  return {
    object: { service: 'classifier', type: 'node_groups', id: group.id, name: group.name },
    events,
    ...(before === undefined ? {} : { before: renderGroup(before) as unknown as Json }),
    ...(after === undefined ? {} : { after: renderGroup(after) as unknown as Json }),
  };
}

function eventsOf(before: Group | undefined, after: Group | undefined): readonly ChangeEvent[] {
  if (before === undefined && after !== undefined) {
    const message = `Created the "${after.name}" group with id ${after.id}`;
    return [{ action: 'create', what: 'node_group', message }];
  }
  if (before !== undefined && after === undefined) {
    const message = `Deleted the "${before.name}" group with id ${before.id}`;
    return [{ action: 'delete', what: 'node_group', message }];
  }
  return before === undefined || after === undefined ? [] : editsOf(before, after);
}

function editsOf(before: Group, after: Group): readonly ChangeEvent[] {
  const group = `the "${after.name}" group`;
  return [
    ...fieldEdits(before, after, group),
    ...ruleEdits(before.rule, after.rule, group),
    ...classEdits(before.classes, after.classes, { of: group, what: 'class', label: 'class' }),
    ...valueEdits(before.variables, after.variables, {
      of: group,
      what: 'group_variable',
      label: 'variable',
    }),
    ...classEdits(before.configData, after.configData, {
      of: group,
      what: 'config_data',
      label: 'configuration data of the class',
    }),
  ];
}

function fieldEdits(before: Group, after: Group, group: string): readonly ChangeEvent[] {
  const fields = [
    ['node_group_name', 'name', before.name, after.name],
    ['node_group_description', 'description', before.description ?? '', after.description ?? ''],
    ['node_group_parent', 'parent', before.parent, after.parent],
    ['node_group_environment', 'environment', before.environment, after.environment],
    [
      'node_group_environment_trumps',
      'environment override',
      before.environmentTrumps,
      after.environmentTrumps,
    ],
  ] as const;
  return fields.flatMap(([what, label, from, to]) =>
    from === to
      ? []
      : [
          edit(
            what,
            `Changed the ${label} of ${group} from ${JSON.stringify(from)} to ${JSON.stringify(to)}`,
          ),
        ],
  );
}

/** Pins are told one by one; whatever else differs is one change of the rule. */
function ruleEdits(
  before: Condition | undefined,
  after: Condition | undefined,
  group: string,
): readonly ChangeEvent[] {
  const [from, to] = [split(before), split(after)];
  const pinned = to.pins.filter((name) => !from.pins.includes(name));
  const unpinned = from.pins.filter((name) => !to.pins.includes(name));
  return [
    ...pinned.map((name) => edit('pinned_node', `Pinned the node "${name}" to ${group}`)),
    ...unpinned.map((name) => edit('pinned_node', `Unpinned the node "${name}" from ${group}`)),
    ...(isSame(from.others, to.others) ? [] : [edit('rule', `Changed the rule of ${group}`)]),
  ];
}

function split(rule: Condition | undefined): {
  readonly pins: readonly string[];
  readonly others: readonly Condition[];
} {
  const parts = rule === undefined ? [] : partsOf(rule);
  return {
    pins: parts.flatMap(pinnedName),
    others: parts.filter((part) => pinnedName(part).length === 0),
  };
}

interface Place {
  /** The group, in words. */
  readonly of: string;
  readonly what: string;
  readonly label: string;
}

type Classes = Readonly<Record<string, JsonObject>>;

function classEdits(before: Classes, after: Classes, { label, of, what }: Place): readonly ChangeEvent[] {
  return namesOf(before, after).flatMap((name) => {
    const [from, to] = [before[name], after[name]];
    if (from === undefined) return [edit(what, `Added the ${label} "${name}" to ${of}`)];
    if (to === undefined) return [edit(what, `Removed the ${label} "${name}" from ${of}`)];
    const place = { of: `the ${label} "${name}" in ${of}`, what: `${what}_parameter`, label: 'parameter' };
    return valueEdits(from, to, place);
  });
}

function valueEdits(
  before: JsonObject,
  after: JsonObject,
  { label, of, what }: Place,
): readonly ChangeEvent[] {
  return namesOf(before, after).flatMap((name) => {
    if (!Object.hasOwn(after, name)) return [edit(what, `Removed the ${label} "${name}" from ${of}`)];
    if (!Object.hasOwn(before, name)) return [edit(what, `Added the ${label} "${name}" to ${of}`)];
    return isSame(before[name], after[name]) ? [] : [edit(what, `Changed the ${label} "${name}" of ${of}`)];
  });
}

function namesOf(before: object, after: object): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
}

function edit(what: string, message: string): ChangeEvent {
  return { action: 'edit', what, message };
}
