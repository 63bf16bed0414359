/** `bunraku autoscaler status` */

import type { Command } from '../command.ts';
import { outputFormat, renderJson } from '../output-format.ts';
import { readCommandLine, refuseWords } from '../own-options.ts';
import { tableLines } from '../text-table.ts';
import {
  connectionOptions,
  connectionUsage,
  readStatus,
  renderSettings,
  type ScalingStatus,
} from './connection.ts';

export const autoscalerStatusCommand: Command = {
  name: 'autoscaler status',
  summary: 'Show how much of the compile servers is used, and how many are advised',
  usage: `
Usage: bunraku autoscaler status [--format text|json] [--SETTING VALUE ...]

Run it on the primary, with the settings that it runs with, or with a token. 'bunraku autoscaler explain' says why.

  --format FORMAT      text (default) or json
${connectionUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: ['--format', ...connectionOptions], flags: [] });
    refuseWords(line.positional);
    const format = outputFormat(line);
    const status = await readStatus(line);
    io.stdout(format === 'json' ? renderJson(status) : renderText(status));
    return 0;
  },
};

function renderText({ advice, complete, members, nodes, numbers, servers, settings }: ScalingStatus): string {
  const lives = new Map(members.map((member) => [member.certname, member]));
  const rows = [
    ...servers.map(({ certname, phase, used, workers }) => ({
      SERVER: certname,
      STATE: lives.get(certname)?.state ?? phase,
      WORKERS: String(workers),
      USED: `${Math.round(used * 100)} %`,
      BECAUSE: lives.get(certname)?.leaving ?? lives.get(certname)?.cause ?? '',
    })),
    // On their way, or stopped.
    ...members
      .filter(({ certname }) => !servers.some((server) => server.certname === certname))
      .map(({ cause, certname, leaving, state }) => ({
        SERVER: certname,
        STATE: state,
        WORKERS: '-',
        USED: '-',
        BECAUSE: leaving ?? cause,
      })),
  ];
  const known = complete ? '' : ' (not all numbers are known yet)';
  return [
    ...tableLines(rows),
    ...(rows.length === 0 ? ['No compile servers'] : ['']),
    `Capacity used: ${Math.round(numbers.capacity_used)} %, with a target of ${Math.round(settings.target * 100)} %${known}`,
    `Workers: ${numbers.serving_workers} serve, ${numbers.need_workers.toFixed(1)} are needed`,
    `Nodes: ${nodes.known} known, ${nodes.waiting} told to retry later`,
    `Servers: ${advice.servers} there, ${advice.advised} advised; ${renderSettings(settings)}`,
  ].join('\n');
}
