/** Goes through all nodes in portions: matching 50,000 at once would keep other requests waiting. */

import { setImmediate } from 'node:timers/promises';
import { type ClassifiedNode, factsIn } from './condition.ts';
import type { Group } from './group.ts';
import { type KnownNodes, unknownNode } from './known-nodes.ts';

/** Read at once: with nothing but the facts that rules look at, they are small. */
const readAtOnce = 1000;
/** Nodes that are classified before other requests get their turn. */
const givenAtOnce = 50;

/**
 * The named nodes, those without facts too, at most 50 at a time.
 *
 * @param facts - the only ones that the nodes have
 */
export async function* someByName(
  names: readonly string[],
  facts: readonly string[],
  known: KnownNodes,
  signal: AbortSignal,
): AsyncGenerator<readonly ClassifiedNode[]> {
  for (let start = 0; start < names.length; start += readAtOnce) {
    const some = names.slice(start, start + readAtOnce);
    const found = new Map((await known.readFacts(some, facts, signal)).map((node) => [node.name, node]));
    for (let first = 0; first < some.length; first += givenAtOnce) {
      signal.throwIfAborted();
      yield some.slice(first, first + givenAtOnce).map((name) => found.get(name) ?? unknownNode(name));
      await setImmediate();
    }
  }
}

/** What the rules of groups look at. */
export function factsOf(groups: readonly Group[]): readonly string[] {
  const all = groups.flatMap(({ rule }) => (rule === undefined ? [] : factsIn(rule)));
  return [...new Set(all)].sort();
}
