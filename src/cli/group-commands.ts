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
  {
    name: 'groups export',
    summary: 'Print groups of nodes as YAML, for review and for a repository',
    load: async () => (await import('./groups/export.ts')).groupsExportCommand,
  },
  {
    name: 'groups plan',
    summary: 'Show which groups and nodes files of groups would change, and how',
    load: async () => (await import('./groups/plan.ts')).groupsPlanCommand,
  },
  {
    name: 'groups apply',
    summary: 'Change groups of nodes to what files say, in one step',
    load: async () => (await import('./groups/plan.ts')).groupsApplyCommand,
  },
];
