/** Which nodes a change of groups would change, and how: each node is classified by the groups before and after. */

import { ServiceError } from '../../lib/service-error.ts';
import { classify, type Steps } from './classify.ts';
import type { ClassifiedNode } from './condition.ts';
import { describeConflicts } from './conflicts.ts';
import type { Hierarchy } from './hierarchy.ts';
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

/** Facts of a node take up to megabytes, and are parsed at once. */
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
  const changes: NodeChange[] = [];
  for (let start = 0; start < names.length; start += nodesAtOnce) {
    signal.throwIfAborted();
    const some = names.slice(start, start + nodesAtOnce);
    const found = new Map((await known.read(some, signal)).map((node) => [node.name, node]));
    for (const name of some) {
      const change = changeOf(before, after, found.get(name) ?? unknownNode(name));
      if (change !== undefined) changes.push(change);
    }
  }
  return { total: names.length, nodes: changes };
}

function pinnedIn(hierarchy: Hierarchy): readonly string[] {
  return hierarchy.all().flatMap(({ rule }) => (rule === undefined ? [] : partsOf(rule).flatMap(pinnedName)));
}

/** @returns `undefined` for a node that stays as it is */
function changeOf(before: Hierarchy, after: Hierarchy, node: ClassifiedNode): NodeChange | undefined {
  const [earlier, later] = [outcomeOf(classify(before, node)), outcomeOf(classify(after, node))];
  const differing = members.filter((member) => !isSame(earlier[member], later[member]));
  if (differing.length === 0) return undefined;
  return { name: node.name, before: only(earlier, differing), after: only(later, differing) };
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
