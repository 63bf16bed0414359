/** The commands for the number of compile servers. */

import type { CommandEntry } from './command.ts';

export const autoscalerCommands: readonly CommandEntry[] = [
  {
    name: 'autoscaler status',
    summary: 'Show how much of the compile servers is used, and how many are advised',
    load: async () => (await import('./autoscaler/status.ts')).autoscalerStatusCommand,
  },
  {
    name: 'autoscaler explain',
    summary: 'Explain why that many compile servers are advised, and what holds it until when',
    load: async () => (await import('./autoscaler/explain.ts')).autoscalerExplainCommand,
  },
  {
    name: 'autoscaler history',
    summary: 'List what the autoscaler advised and why, the newest first',
    load: async () => (await import('./autoscaler/history.ts')).autoscalerHistoryCommand,
  },
  {
    name: 'autoscaler metric',
    summary: 'Print the number that platforms scale by: the capacity used, in percent',
    load: async () => (await import('./autoscaler/metric.ts')).autoscalerMetricCommand,
  },
  {
    name: 'autoscaler pause',
    summary: 'Advise the number of compile servers that there are, and warn of nothing',
    load: async () => (await import('./autoscaler/pause.ts')).autoscalerPauseCommand,
  },
  {
    name: 'autoscaler resume',
    summary: 'Advise again how many compile servers there should be',
    load: async () => (await import('./autoscaler/pause.ts')).autoscalerResumeCommand,
  },
  {
    name: 'autoscaler set',
    summary: 'Set the least and the most compile servers, and how much of them is to be used',
    load: async () => (await import('./autoscaler/set.ts')).autoscalerSetCommand,
  },
  {
    name: 'autoscaler simulate',
    summary: 'Show what the autoscaler would do with a fleet, in virtual time',
    load: async () => (await import('./autoscaler/simulate.ts')).autoscalerSimulateCommand,
  },
  {
    name: 'autoscaler template',
    summary: 'Print a file to begin with, for a platform on which compile servers come and go',
    load: async () => (await import('./autoscaler/template.ts')).autoscalerTemplateCommand,
  },
];
