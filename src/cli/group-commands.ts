/** The commands for groups of nodes. */

import type { CommandEntry } from './command.ts';

export const groupCommands: readonly CommandEntry[] = [
  {
    name: 'node pin',
    summary: 'Make nodes members of a group, whatever its rule says',
    load: async () => (await import('./node/pins.ts')).nodePinCommand,
  },
  {
    name: 'node unpin',
    summary: 'Unpin nodes from a group',
    load: async () => (await import('./node/pins.ts')).nodeUnpinCommand,
  },
  {
    name: 'node groups',
    summary: 'Show which groups a node is in, and why: the rule or a pin',
    load: async () => (await import('./node/explain.ts')).nodeGroupsCommand,
  },
  {
    name: 'node explain',
    summary: 'Show which group gives a node each class, parameter, variable and its environment',
    load: async () => (await import('./node/explain.ts')).nodeExplainCommand,
  },
];
