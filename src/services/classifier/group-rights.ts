/**
 * What users may do with single groups. A permission for a group holds for all groups below it, too. Source: the permissions of
 * Puppet Enterprise, type `node_groups`.
 */

import type { JsonObject } from '../../lib/json.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Group } from './group.ts';
import type { Hierarchy } from './hierarchy.ts';
import { isSame } from './same-value.ts';

export const changingActions = [
  'modify_children',
  'edit_child_rules',
  'edit_classification',
  'edit_config_data',
  'edit_params_and_vars',
  'set_environment',
] as const;

export type GroupAction = 'view' | (typeof changingActions)[number];

/** @param groupId - absent: for all groups */
export type GroupPermits = (action: GroupAction, groupId?: string) => boolean;

/** One kind of change, and which permissions allow it. */
interface Need {
  /** As in "may not change ... of the group Web". */
  readonly what: string;
  /** For the group or one above it. */
  readonly here: readonly GroupAction[];
  /** For a group above it. `modify_children` allows every change there. */
  readonly above: readonly GroupAction[];
  readonly of: (group: Group) => unknown;
}

const needs: readonly Need[] = [
  {
    what: 'name, parent and description',
    here: [],
    above: ['modify_children'],
    of: ({ description, name, parent }) => [name, parent, description],
  },
  {
    what: 'the rule',
    here: [],
    above: ['edit_child_rules', 'modify_children'],
    of: ({ rule }) => rule,
  },
  {
    what: 'the environment',
    here: ['set_environment'],
    above: ['modify_children'],
    of: ({ environment, environmentTrumps }) => [environment, environmentTrumps],
  },
  {
    what: 'the classes',
    here: ['edit_classification'],
    above: ['modify_children'],
    of: ({ classes }) => Object.keys(classes).sort(),
  },
  {
    what: 'parameters and variables',
    here: ['edit_params_and_vars', 'edit_classification'],
    above: ['modify_children'],
    of: ({ classes, variables }) => [withParameters(classes), variables],
  },
  {
    what: 'the configuration data',
    here: ['edit_config_data'],
    above: ['modify_children'],
    of: ({ configData }) => configData,
  },
];

/** To add and to remove a class is one thing, its parameters are another. */
function withParameters(classes: Group['classes']): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(
    Object.entries(classes).filter(([, parameters]) => Object.keys(parameters).length > 0),
  );
}

/** Whether somebody may see a group. */
export function maySee(hierarchy: Hierarchy, group: Group, permits: GroupPermits): boolean {
  return permits('view') || idsOf(hierarchy, group).some((id) => permits('view', id));
}

/**
 * Compares the groups before and after a change, in whatever way it was made.
 *
 * @throws ServiceError `forbidden` naming the first group and the permission that is missing
 */
export function checkGroupRights(before: Hierarchy, after: Hierarchy, permits: GroupPermits): void {
  if (permits('modify_children')) return;
  for (const group of after.all()) {
    const old = before.find(group.id);
    if (old === undefined) demandAbove(after, group, permits, 'create');
    else if (old !== group) checkChange({ before, after, old, group }, permits);
  }
  for (const group of before.all())
    if (after.find(group.id) === undefined) demandAbove(before, group, permits, 'delete');
}

interface Change {
  readonly before: Hierarchy;
  readonly after: Hierarchy;
  readonly old: Group;
  readonly group: Group;
}

function checkChange({ after, before, group, old }: Change, permits: GroupPermits): void {
  for (const need of needs) {
    if (isSame(need.of(old), need.of(group))) continue;
    if (!isAllowed(before, old, need, permits)) throw refused(need, old);
    // To move a group takes the right at both ends.
    if (old.parent !== group.parent && !isAllowed(after, group, need, permits)) throw refused(need, group);
  }
}

function isAllowed(
  hierarchy: Hierarchy,
  group: Group,
  { above, here }: Need,
  permits: GroupPermits,
): boolean {
  const [own, ...ancestors] = idsOf(hierarchy, group);
  if (own === undefined) return false;
  const isOnHere = [own, ...ancestors].some((id) => here.some((action) => permits(action, id)));
  return isOnHere || ancestors.some((id) => above.some((action) => permits(action, id)));
}

function demandAbove(
  hierarchy: Hierarchy,
  group: Group,
  permits: GroupPermits,
  verb: 'create' | 'delete',
): void {
  const [, ...ancestors] = idsOf(hierarchy, group);
  if (ancestors.some((id) => permits('modify_children', id))) return;
  throw forbidden(`You may not ${verb} the group ${group.name}`, ['modify_children'], 'a group above it');
}

/** The group's own, then those of its ancestors. */
function idsOf(hierarchy: Hierarchy, group: Group): readonly string[] {
  return [group, ...hierarchy.ancestorsOf(group)].map(({ id }) => id);
}

function refused({ above, here, what }: Need, { name }: Group): ServiceError {
  const where = here.length > 0 ? 'it or a group above it' : 'a group above it';
  return forbidden(`You may not change ${what} of the group ${name}`, here.length > 0 ? here : above, where);
}

function forbidden(message: string, actions: readonly GroupAction[], where: string): ServiceError {
  const wanted = actions.map((action) => `node_groups:${action}`).join(' or ');
  return new ServiceError('forbidden', `${message}: the permission ${wanted} for ${where} is missing`, {
    kind: 'puppetlabs.rbac/permission-denied',
  });
}
