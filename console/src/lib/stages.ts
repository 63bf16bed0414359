/** Puppet on servers in order: the stages, and the progress of each. */

import type { JobNode, NodeState } from './jobs.ts';
import type { ReachedLevel, ServerRole } from './targets.ts';

export interface Stage {
  readonly title: string;
  readonly nodes: readonly string[];
}

/** As the installation guides call the kinds of installations. */
export type InstallationKind = 'monolithic' | 'split';

const rolesOf: Readonly<Record<InstallationKind, readonly ServerRole[]>> = {
  monolithic: ['compile server', 'primary'],
  split: ['compile server', 'puppetdb', 'console', 'primary'],
};

const titles: Readonly<Record<ServerRole, string>> = {
  'compile server': 'Compile servers',
  puppetdb: 'PuppetDB',
  console: 'Console',
  primary: 'Primary',
};

/** The stages of a kind of installation, with the servers of each role. */
export function stagesOf(kind: InstallationKind, levels: readonly ReachedLevel[]): readonly Stage[] {
  return rolesOf[kind].map((role) => ({
    title: titles[role],
    nodes: levels.find((level) => level.role === role)?.nodes.map(({ name }) => name) ?? [],
  }));
}

/** The levels of a job; stages without nodes are left out. */
export function orderOf(stages: readonly Stage[]): readonly (readonly string[])[] {
  return stages.map(({ nodes }) => nodes).filter((nodes) => nodes.length > 0);
}

/** The nodes of a job by their levels, in the order of these. */
export function levelsOf(nodes: readonly JobNode[]): readonly (readonly JobNode[])[] {
  const levels = Map.groupBy(nodes, ({ level = 0 }) => level);
  return Array.from(levels.entries())
    .toSorted(([one], [other]) => one - other)
    .map(([, each]) => each);
}

/** The state of a stage: failed, then running, then waiting, by its nodes. */
const worstFirst: readonly NodeState[] = [
  'failed',
  'errored',
  'running',
  'ready',
  'new',
  'skipped',
  'finished',
];

export function stateOfLevel(nodes: readonly JobNode[]): NodeState {
  return worstFirst.find((state) => nodes.some((node) => node.state === state)) ?? 'new';
}

/** The nodes that have not finished, from the first level with such a node on. */
export function restOf(levels: readonly (readonly JobNode[])[]): readonly (readonly string[])[] {
  return levels
    .map((nodes) => nodes.filter(({ state }) => state !== 'finished').map(({ name }) => name))
    .filter((names) => names.length > 0);
}
