/** Nodes as PuppetDB knows them: their facts of the last run, and what their certificates prove. */

import type { ClassifiedNode } from './condition.ts';
import type { Query } from './rule-translation.ts';

export interface KnownNodes {
  /** The names of all nodes with facts. @param query - of PuppetDB's inventory, for some of them */
  names(signal: AbortSignal, query?: Query): Promise<readonly string[]>;
  /** Those of the named nodes that have facts. */
  read(names: readonly string[], signal: AbortSignal): Promise<readonly ClassifiedNode[]>;
  /** As `read`, with these facts alone: much less where there are many nodes. */
  readFacts(
    names: readonly string[],
    facts: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly ClassifiedNode[]>;
}

/** Without a PuppetDB. */
export const noKnownNodes: KnownNodes = {
  names: () => Promise.resolve([]),
  read: () => Promise.resolve([]),
  readFacts: () => Promise.resolve([]),
};

/** A node that has sent no facts yet: rules see its name. */
export function unknownNode(name: string): ClassifiedNode {
  return { name, fact: {}, trusted: { certname: name } };
}

/** @returns the node with the facts that PuppetDB has of it, without facts when it has none */
export async function storedNode(
  known: KnownNodes,
  name: string,
  signal: AbortSignal,
): Promise<ClassifiedNode> {
  const [found] = await known.read([name], signal);
  return found ?? unknownNode(name);
}
