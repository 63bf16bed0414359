/** Finds the groups that give a node a class, parameter or value. */

import { classify } from './classify.ts';
import type { ClassifiedNode } from './condition.ts';
import type { Group } from './group.ts';
import type { Hierarchy } from './hierarchy.ts';

/**
 * Of each line of groups that a node is in, the group nearest to the node that gives something: groups inherit from those above them.
 *
 * @throws ServiceError `compile-failed` when a rule takes too long
 */
export function givingGroups(
  hierarchy: Hierarchy,
  node: ClassifiedNode,
  gives: (group: Group) => boolean,
): readonly Group[] {
  const { leaves } = classify(hierarchy, node);
  const nearest = leaves.flatMap(({ group }) => [group, ...hierarchy.ancestorsOf(group)].find(gives) ?? []);
  return Array.from(new Set(nearest));
}
