/** The report processor `log`: what agents logged goes to the server's log, too. */

import type { Logger } from '../../platform/log/index.ts';
import type { ReportProcessor } from './termini.ts';
import type { Report } from './wire.ts';

/** Puppet's levels beyond these are all errors. */
const levels: Readonly<Record<string, 'debug' | 'info' | 'warn'>> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
};

export function logProcessor(log: Logger): ReportProcessor<Report['logs']> {
  return {
    make: ({ logs }) => logs,
    process: async ({ certname }, logs) => {
      for (const { level, message, source, time } of logs) {
        log[levels[level] ?? 'error']({ certname, source, text: message, agentTime: time }, 'agent logged');
      }
    },
  };
}
