/** `bunraku autoscaler pause` and `resume` */

import type { Command } from '../command.ts';
import { readCommandLine, refuseWords } from '../own-options.ts';
import { askAutoscaler, connectionOptions, connectionUsage, renderSettings } from './connection.ts';

export const autoscalerPauseCommand: Command = switchCommand(
  'pause',
  'Advise the number of compile servers that there are, and warn of nothing',
);

export const autoscalerResumeCommand: Command = switchCommand(
  'resume',
  'Advise again how many compile servers there should be',
);

function switchCommand(action: 'pause' | 'resume', summary: string): Command {
  return {
    name: `autoscaler ${action}`,
    summary,
    usage: `
Usage: bunraku autoscaler ${action} [--SETTING VALUE ...]

The number by which platforms scale does not change. Run it on the primary, with the settings that it runs with, or with a token.

${connectionUsage}`,
    async run(args, io) {
      const line = readCommandLine(args, { withValue: [...connectionOptions], flags: [] });
      refuseWords(line.positional);
      io.stdout(renderSettings(await askAutoscaler(line, { method: 'POST', path: `/${action}` })));
      return 0;
    },
  };
}
