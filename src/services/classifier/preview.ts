/** Which nodes a change of groups would change, and how: each node is classified by the groups before and after. */

import { ServiceError } from '../../lib/service-error.ts';
import { factsOf, someByName } from './all-nodes.ts';
import type { ChangePreview, NodeOutcome } from './answers/wire.ts';
import { classifyMembers, type Steps } from './classify.ts';
import type { ClassifiedNode } from './condition.ts';
import { describeConflicts } from './conflicts.ts';
import { definitionOf, type Group } from './group.ts';
import { Hierarchy } from './hierarchy.ts';
import type { KnownNodes } from './known-nodes.ts';
import { partsOf, pinnedName } from './pinning.ts';
import { isSame } from './same-value.ts';

/** Only the members that differ. */
export type NodeChange = ChangePreview['nodes'][number];

export interface Preview {
  /** How many nodes were classified. */
  readonly total: number;
  /** Those that change, by name. */
  readonly nodes: readonly NodeChange[];
}

/**
 * Classifies all nodes with facts, and those that are pinned without having any.
 *
 * @throws ServiceError `compile-failed` when a rule takes too long
 */
export async function previewNodes(
  before: Hierarchy,
  after: Hierarchy,
  known: KnownNodes,
  signal: AbortSignal,
): Promise<Preview> {
  const named = await known.names(signal);
  const names = [...new Set([...named, ...pinnedIn(before), ...pinnedIn(after)])].sort();
  const touched = touchedBy(before, after);
  const touchedNames: string[] = [];
  for await (const some of someByName(names, touched.facts, known, signal))
    touchedNames.push(...touched.among(some).map(({ name }) => name));
  const changes: NodeChange[] = [];
  const changeOf = comparer(before, after);
  const facts = factsOf([...before.all(), ...after.all()]);
  for await (const some of someByName(touchedNames, facts, known, signal)) changes.push(...changeOf(some));
  return { total: names.length, nodes: changes };
}

interface Touched {
  /** What the rules look at that decide it. */
  readonly facts: readonly string[];
  among(nodes: readonly ClassifiedNode[]): readonly ClassifiedNode[];
}

/**
 * A node that is in none of the changed groups or those below, neither before nor after, has the same groups as before, and they give the
 * same: only the rules of these groups need a look.
 */
function touchedBy(before: Hierarchy, after: Hierarchy): Touched {
  const groups = [...before.all(), ...after.all()];
  const changed = new Set(
    groups.flatMap(({ id }) => (isSame(definitionIn(before, id), definitionIn(after, id)) ? [] : [id])),
  );
  const facts = new Set<string>();
  const membersIn = [before, after].map((hierarchy) => {
    const below = hierarchy
      .all()
      .filter((group) => lineOf(hierarchy, group).some(({ id }) => changed.has(id)));
    const needed = new Set(below.flatMap((group) => lineOf(hierarchy, group)));
    const wanted = new Set(below.map(({ id }) => id));
    const part = new Hierarchy([...needed]);
    for (const fact of factsOf([...needed])) facts.add(fact);
    return (nodes: readonly ClassifiedNode[]) =>
      part.matchingEach(nodes).map((found) => found.some(({ id }) => wanted.has(id)));
  });
  return {
    facts: [...facts].sort(),
    among(nodes) {
      const isMember = membersIn.map((isIn) => isIn(nodes));
      return nodes.filter((_, index) => isMember.some((each) => each[index] === true));
    },
  };
}

function lineOf(hierarchy: Hierarchy, group: Group): readonly Group[] {
  return [group, ...hierarchy.ancestorsOf(group)];
}

function definitionIn(hierarchy: Hierarchy, id: string): unknown {
  const group = hierarchy.find(id);
  return group === undefined ? undefined : definitionOf(group);
}

function pinnedIn(hierarchy: Hierarchy): readonly string[] {
  return hierarchy.all().flatMap(({ rule }) => (rule === undefined ? [] : partsOf(rule).flatMap(pinnedName)));
}

/**
 * Compares what nodes get before and after. Nodes in the same groups get the same: thousands of nodes are in few different sets of groups.
 *
 * @returns gives the changes of some nodes, without those that stay as they are
 */
function comparer(
  before: Hierarchy,
  after: Hierarchy,
): (nodes: readonly ClassifiedNode[]) => readonly NodeChange[] {
  const known = new Map<string, Omit<NodeChange, 'name'> | undefined>();
  return (nodes) => {
    const [earlier, later] = [before.matchingEach(nodes), after.matchingEach(nodes)];
    return nodes.flatMap(({ name }, index) => {
      const groups = [earlier[index] ?? [], later[index] ?? []] as const;
      const key = groups.map((each) => each.map(({ id }) => id).join()).join(' ');
      if (!known.has(key))
        known.set(key, differenceOf(classifyMembers(before, groups[0]), classifyMembers(after, groups[1])));
      const difference = known.get(key);
      return difference === undefined ? [] : [{ name, ...difference }];
    });
  };
}

/** @returns `undefined` where both give the same */
function differenceOf(before: Steps, after: Steps): Omit<NodeChange, 'name'> | undefined {
  const [earlier, later] = [outcomeOf(before), outcomeOf(after)];
  const differing = members.filter((member) => !isSame(earlier[member], later[member]));
  if (differing.length === 0) return undefined;
  return { before: only(earlier, differing), after: only(later, differing) };
}

const members = ['groups', 'environment', 'classes', 'variables', 'config_data', 'error'] as const;

function only(outcome: NodeOutcome, wanted: readonly (keyof NodeOutcome)[]): NodeOutcome {
  return Object.fromEntries(
    wanted.flatMap((member) => (outcome[member] === undefined ? [] : [[member, outcome[member]]])),
  );
}

function outcomeOf({ conflicts = {}, final, leaves, matching }: Steps): NodeOutcome {
  const groups = matching.map(({ name }) => name).sort();
  if (final === undefined) return { groups, error: describeConflicts(leaves, conflicts) };
  const { classes, configData, environment, variables } = final;
  return { groups, environment, classes, variables, config_data: configData };
}

/** @returns what is said to those who may not do it; `undefined` when they may */
export function refusalOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError && error.reason === 'forbidden') return error.message;
    throw error;
  }
}
