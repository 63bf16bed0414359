/**
 * What becomes of a node: the groups that it matches, of those the ones without a matching descendant, what these
 * inherit, and all that together, where it does not contradict itself.
 *
 * @see PE, "Classification endpoint"
 */

import { type ClassifiedNode, type ExplainedCondition, explainCondition } from './condition.ts';
import { type Conflicts, findConflicts } from './conflicts.ts';
import { type Classification, defaultEnvironment, type Group } from './group.ts';
import type { Hierarchy } from './hierarchy.ts';
import { mergeAndClean } from './merging.ts';

/** A matching group without a matching descendant, and what it gives. */
export interface Leaf {
  readonly group: Group;
  readonly inherited: Classification;
}

export interface Steps {
  readonly matching: readonly Group[];
  readonly leaves: readonly Leaf[];
  /** Absent where there are none. */
  readonly conflicts: Conflicts | undefined;
  /** Absent where there are conflicts. */
  readonly final: Omit<Classification, 'environmentTrumps'> | undefined;
}

export type ClassSources = Readonly<Record<string, readonly string[]>>;

export function classify(hierarchy: Hierarchy, node: ClassifiedNode): Steps {
  return classifyMembers(hierarchy, hierarchy.matching(node));
}

/** What becomes of all nodes that match these groups and no others. */
export function classifyMembers(hierarchy: Hierarchy, matching: readonly Group[]): Steps {
  const inner = new Set(matching.flatMap((group) => hierarchy.ancestorsOf(group).map(({ id }) => id)));
  const leaves = matching
    .filter(({ id }) => !inner.has(id))
    .map((group) => ({ group, inherited: hierarchy.inherited(group) }));
  const conflicts = findConflicts(hierarchy, leaves);
  return { matching, leaves, conflicts, final: conflicts === undefined ? together(leaves) : undefined };
}

/** The names of the groups that give a node its classes, by class: those that name it themselves. */
export function classSources(hierarchy: Hierarchy, { final, leaves }: Steps): ClassSources {
  const groups = leaves.flatMap(({ group }) => [group, ...hierarchy.ancestorsOf(group)]);
  return Object.fromEntries(
    Object.keys(final?.classes ?? {}).map((name) => {
      const giving = groups.filter(({ classes }) => Object.hasOwn(classes, name));
      return [name, Array.from(new Set(giving.map((group) => group.name)))];
    }),
  );
}

/** Why a node matches its groups, by id. @throws ServiceError `compile-failed` when a rule takes too long */
export function explainMatches(
  hierarchy: Hierarchy,
  node: ClassifiedNode,
): Readonly<Record<string, ExplainedCondition>> {
  const groups = hierarchy.matching(node);
  // All parts of a rule are looked at, also those that did not matter.
  return hierarchy.withinLimit(node.name, () =>
    Object.fromEntries(
      groups.flatMap((group) => {
        const rule = hierarchy.fullRule(group);
        return rule === undefined ? [] : [[group.id, explainCondition(rule, node)]];
      }),
    ),
  );
}

function together(leaves: readonly Leaf[]): Steps['final'] {
  const parts = leaves.map(({ inherited: { classes, configData, variables } }) => ({
    classes,
    configData,
    variables,
  }));
  const merged = parts.reduce((earlier, later) => mergeAndClean(earlier, later) as typeof later, {
    classes: {},
    configData: {},
    variables: {},
  });
  const [first] = leaves;
  const trump = leaves.find(({ inherited }) => inherited.environmentTrumps) ?? first;
  return { ...merged, environment: trump?.inherited.environment ?? defaultEnvironment };
}
