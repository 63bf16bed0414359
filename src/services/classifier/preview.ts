/** Which nodes a change of groups would change, and how: each node is classified by the groups before and after. */

import { setImmediate } from 'node:timers/promises';
import { ServiceError } from '../../lib/service-error.ts';
import { classifyMembers, type Steps } from './classify.ts';
import { type ClassifiedNode, factsIn } from './condition.ts';
import { describeConflicts } from './conflicts.ts';
import { definitionOf, type Group } from './group.ts';
import { Hierarchy } from './hierarchy.ts';
import { type KnownNodes, unknownNode } from './known-nodes.ts';
import { partsOf, pinnedName } from './pinning.ts';
import { isSame } from './same-value.ts';

/** What the groups give a node, as it crosses the network; with an error instead where they contradict each other. */
interface Outcome {
  readonly groups?: readonly string[];
  readonly environment?: string;
  readonly classes?: unknown;
  readonly variables?: unknown;
  readonly config_data?: unknown;
  readonly error?: string;
}

export interface NodeChange {
  readonly name: string;
  /** Only the members that differ. */
  readonly before: Outcome;
  readonly after: Outcome;
}

export interface Preview {
  /** How many nodes were classified. */
  readonly total: number;
  /** Those that change, by name. */
  readonly nodes: readonly NodeChange[];
}

/** With nothing but the facts that rules look at. */
const slimNodesAtOnce = 1000;
/** Classified at a time: other requests wait meanwhile. */
const nodesAtOnce = 50;

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
  const readSlim = (some: readonly string[]) => known.readFacts(some, touched.facts, signal);
  const touchedNames: string[] = [];
  for await (const nodes of inChunks(names, slimNodesAtOnce, readSlim)) {
    signal.throwIfAborted();
    for (let start = 0; start < nodes.length; start += nodesAtOnce) {
      touchedNames.push(...touched.among(nodes.slice(start, start + nodesAtOnce)).map(({ name }) => name));
      // Rules of many nodes take longer than other requests may wait.
      await setImmediate();
    }
  }
  const changes: NodeChange[] = [];
  const changeOf = comparer(before, after);
  const facts = factsOf([...before.all(), ...after.all()]);
  const readRules = (some: readonly string[]) => known.readFacts(some, facts, signal);
  for await (const nodes of inChunks(touchedNames, slimNodesAtOnce, readRules)) {
    signal.throwIfAborted();
    for (let start = 0; start < nodes.length; start += nodesAtOnce) {
      const some = nodes.slice(start, start + nodesAtOnce);
      changes.push(...changeOf(some));
      await setImmediate();
    }
  }
  return { total: names.length, nodes: changes };
}

/** All of the named nodes, those without facts too, some at a time. */
async function* inChunks(
  names: readonly string[],
  size: number,
  read: (names: readonly string[]) => Promise<readonly ClassifiedNode[]>,
): AsyncGenerator<readonly ClassifiedNode[]> {
  for (let start = 0; start < names.length; start += size) {
    const some = names.slice(start, start + size);
    const found = new Map((await read(some)).map((node) => [node.name, node]));
    yield some.map((name) => found.get(name) ?? unknownNode(name));
  }
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

/** What the rules of groups look at. */
function factsOf(groups: readonly Group[]): readonly string[] {
  const all = groups.flatMap(({ rule }) => (rule === undefined ? [] : factsIn(rule)));
  return [...new Set(all)].sort();
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

function only(outcome: Outcome, wanted: readonly (keyof Outcome)[]): Outcome {
  return Object.fromEntries(
    wanted.flatMap((member) => (outcome[member] === undefined ? [] : [[member, outcome[member]]])),
  );
}

function outcomeOf({ conflicts = {}, final, leaves, matching }: Steps): Outcome {
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
