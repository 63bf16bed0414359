/** `bunraku autoscaler history` */

import { z } from 'zod';
import { type Command, UsageError } from '../command.ts';
import { outputFormat, renderJson } from '../output-format.ts';
import { lastOf, readCommandLine, refuseWords } from '../own-options.ts';
import { tableLines } from '../text-table.ts';
import { askAutoscaler, connectionOptions, connectionUsage } from './connection.ts';

const EntryWire = z.object({
  id: z.number(),
  time: z.string(),
  kind: z.string(),
  message: z.string(),
  serving: z.number(),
  wanted: z.number(),
  numbers: z.record(z.string(), z.number()).nullable(),
});

const usualLimit = '20';

export const autoscalerHistoryCommand: Command = {
  name: 'autoscaler history',
  summary: 'List what the autoscaler advised and why, the newest first',
  usage: `
Usage: bunraku autoscaler history [--limit N] [--format text|json] [--SETTING VALUE ...]

Each line is a change of the advice, of the servers that serve, or of the settings, with the workers of that moment. Run it on the
primary, with the settings that it runs with, or with a token.

  --limit N            How many, up to 1000 (default ${usualLimit})
  --format FORMAT      text (default) or json
${connectionUsage}`,
  async run(args, io) {
    const withValue = ['--limit', '--format', ...connectionOptions];
    const line = readCommandLine(args, { withValue, flags: [] });
    refuseWords(line.positional);
    const format = outputFormat(line);
    const limit = lastOf(line, '--limit') ?? usualLimit;
    if (!/^[1-9]\d{0,3}$/.test(limit)) throw new UsageError(`--limit takes a number, not '${limit}'`);
    const answer = await askAutoscaler(line, { method: 'GET', path: `/history?limit=${limit}` });
    const entries = z.array(EntryWire).parse(answer);
    io.stdout(format === 'json' ? renderJson(entries) : renderText(entries));
    return 0;
  },
};

function renderText(entries: readonly z.infer<typeof EntryWire>[]): string {
  if (entries.length === 0) return 'Nothing yet\n';
  const rows = entries.map(({ message, numbers, time }) => ({
    TIME: time,
    WORK: numbers?.['work'] ?? '-',
    BACKLOG: numbers?.['backlog'] ?? '-',
    PLANNED: numbers?.['planned'] ?? '-',
    NEED: numbers?.['need'] ?? '-',
    SERVING: numbers?.['capacity'] ?? '-',
    WHAT: message,
  }));
  return `${tableLines(rows).join('\n')}\n`;
}
