/** `bunraku autoscaler set` */

import { type Command, UsageError } from '../command.ts';
import { lastOf, readCommandLine, refuseWords } from '../own-options.ts';
import { askAutoscaler, connectionOptions, connectionUsage, renderSettings } from './connection.ts';

const names = ['min', 'max', 'target'] as const;

export const autoscalerSetCommand: Command = {
  name: 'autoscaler set',
  summary: 'Set the least and the most compile servers, and how much of them is to be used',
  usage: `
Usage: bunraku autoscaler set [--min N] [--max N] [--target SHARE] [--SETTING VALUE ...]

What is not given stays. Run it on the primary, with the settings that it runs with, or with a token.

  --min N, --max N     The least and the most servers (1 and 50 at first)
  --target SHARE       The share of the capacity that steady load is to use, from 0.1 to 0.9 (0.6 at first)
${connectionUsage}`,
  async run(args, io) {
    const withValue = [...names.map((name) => `--${name}`), ...connectionOptions];
    const line = readCommandLine(args, { withValue, flags: [] });
    refuseWords(line.positional);
    const given = names.flatMap((name) => {
      const text = lastOf(line, `--${name}`);
      return text === undefined ? [] : [[name, numberOf(name, text)] as const];
    });
    if (given.length === 0) throw new UsageError('nothing to set: give --min, --max or --target');
    const body = Object.fromEntries(given);
    io.stdout(renderSettings(await askAutoscaler(line, { method: 'PUT', path: '/settings', body })));
    return 0;
  },
};

function numberOf(name: string, text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new UsageError(`--${name} takes a number, not '${text}'`);
}
