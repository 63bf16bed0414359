/** Which changes of groups need more than the permission to edit groups. */

import { ServiceError } from '../../lib/service-error.ts';
import { type Author, serverItself } from '../../platform/changes/index.ts';
import { definitionOf, type Group } from './group.ts';
import { checkGroupRights, type GroupPermits } from './group-rights.ts';
import type { Hierarchy } from './hierarchy.ts';
import { infrastructureName } from './preconfigured-groups.ts';
import { isSame } from './same-value.ts';

/** Who changes groups, and what they may do. */
export interface GroupEditor {
  readonly author: Author;
  /** Whether they may change the groups of the installation's own servers. */
  readonly mayChangeServers: boolean;
  /** What they may do with single groups. */
  readonly permits: GroupPermits;
}

export const serverEditor: GroupEditor = {
  author: serverItself,
  mayChangeServers: true,
  permits: () => true,
};

/**
 * Compares the groups before and after a change. Comparing whole states covers every way to change them: rules, pins, names, parents,
 * deletion, import.
 *
 * @param serverGroups - names of the groups whose members have the rights of servers
 * @throws ServiceError `forbidden` when the author may not change one of the groups so, or touches the installation's own groups and
 *   may not do that
 */
export function checkRights(
  before: Hierarchy,
  after: Hierarchy,
  serverGroups: ReadonlySet<string>,
  { mayChangeServers, permits }: Pick<GroupEditor, 'mayChangeServers' | 'permits'>,
): void {
  checkGroupRights(before, after, permits);
  if (mayChangeServers) return;
  if (!isSame(rulesOf(before, serverGroups), rulesOf(after, serverGroups)))
    throw refused(
      `The groups ${[...serverGroups].join(', ')} decide which nodes are servers of the installation`,
    );
  if (!isSame(infrastructureOf(before), infrastructureOf(after)))
    throw refused(
      `The group ${infrastructureName} and the groups below it configure the installation itself`,
    );
}

/** The rules of some groups, with those of the groups above. */
function rulesOf(hierarchy: Hierarchy, names: ReadonlySet<string>): unknown {
  const groups = hierarchy.all().filter(({ name }) => names.has(name));
  return groups.map((group) => [group.name, hierarchy.fullRule(group)]);
}

/** Everything that authors decide of these groups. */
function infrastructureOf(hierarchy: Hierarchy): unknown {
  const belongs = (group: Group) =>
    [group, ...hierarchy.ancestorsOf(group)].some(({ name }) => name === infrastructureName);
  return Object.fromEntries(
    hierarchy
      .all()
      .filter(belongs)
      .map((group) => [group.id, definitionOf(group)]),
  );
}

function refused(reason: string): ServiceError {
  const message = `${reason}: changing them needs the permission infrastructure:edit`;
  return new ServiceError('forbidden', message, { kind: 'puppetlabs.rbac/permission-denied' });
}
