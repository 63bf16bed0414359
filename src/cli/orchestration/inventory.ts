/** `bunraku inventory` */

import { z } from 'zod';
import type { Command } from '../command.ts';
import { outputFormat, renderJson } from '../output-format.ts';
import { readCommandLine } from '../own-options.ts';
import { tableLines } from '../text-table.ts';
import { askOrchestrator, connectionOptions, connectionUsage } from './connection.ts';

export const inventoryCommand: Command = {
  name: 'inventory',
  summary: 'Show which nodes are connected for jobs, and to which broker',
  usage: `
Usage: bunraku inventory [NODE ...] [OPTIONS]

  --format json        Print what the orchestrator answers
${connectionUsage}
Exit code 1 when a NODE is not connected.
`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: [...connectionOptions, '--format', '-F'], flags: [] });
    const format = outputFormat(line);
    const nodes = line.positional;
    const path = '/inventory';
    const answer = await askOrchestrator(
      line,
      nodes.length === 0 ? { method: 'GET', path } : { method: 'POST', path, body: { nodes } },
    );
    const { items } = InventoryWire.parse(answer);
    if (format === 'json') io.stdout(renderJson(answer));
    else
      for (const text of tableLines(
        items.map(({ broker, connected, name, timestamp }) => ({
          node: name,
          connected: connected ? 'yes' : 'no',
          broker: broker ?? '',
          since: timestamp ?? '',
        })),
      ))
        io.stdout(`${text}\n`);
    return items.every(({ connected }) => connected) ? 0 : 1;
  },
};

const InventoryWire = z.object({
  items: z.array(
    z.object({
      name: z.string(),
      connected: z.boolean(),
      broker: z.string().optional(),
      timestamp: z.string().nullish(),
    }),
  ),
});
