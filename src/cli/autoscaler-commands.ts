/** The commands for the number of compile servers. */

import type { CommandEntry } from './command.ts';

export const autoscalerCommands: readonly CommandEntry[] = [
  {
    name: 'autoscaler simulate',
    summary: 'Show what the autoscaler would do with a fleet, in virtual time',
    load: async () => (await import('./autoscaler/simulate.ts')).autoscalerSimulateCommand,
  },
];
