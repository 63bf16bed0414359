/** `bunraku code status` */

import { z } from 'zod';
import type { Command } from '../command.ts';
import { outputFormat, renderJson } from '../output-format.ts';
import { readCommandLine, refuseWords } from '../own-options.ts';
import { askCodeManager, connectionOptions, connectionUsage } from './connection.ts';

const WaitingWire = z.array(z.object({ environment: z.string(), 'queued-at': z.string() }));
const DeployedWire = z.array(
  z.object({ environment: z.string(), date: z.string().nullable(), 'deploy-signature': z.string() }),
);
const StatusWire = z.object({
  'deploys-status': z.object({
    new: WaitingWire,
    queued: WaitingWire,
    deploying: WaitingWire,
    failed: z.array(
      z.object({ environment: z.string(), 'queued-at': z.string(), error: z.object({ msg: z.string() }) }),
    ),
  }),
  'file-sync-storage-status': z.object({ deployed: DeployedWire }),
  'file-sync-client-status': z.object({
    'all-synced': z.boolean(),
    'file-sync-clients': z.record(
      z.string(),
      z.object({
        last_check_in_time: z.string().nullable(),
        'synced-with-file-sync-storage': z.boolean(),
        deployed: DeployedWire,
      }),
    ),
  }),
});

type Status = z.infer<typeof StatusWire>;

export const codeStatusCommand: Command = {
  name: 'code status',
  summary: 'Show deploys, and what each server serves',
  usage: `
Usage: bunraku code status [--format text|json] [--SETTING VALUE ...]

Shows deploys that wait, run or have failed; the commit of the control repository that is stored for each environment; and whether
each server serves that. Exit code 1 when a server does not.

${connectionUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: [...connectionOptions, '--format', '-F'], flags: [] });
    refuseWords(line.positional);
    const format = outputFormat(line);
    const answer = await askCodeManager(line, { method: 'GET', path: '/v1/deploys/status' });
    const status = StatusWire.parse(answer);
    io.stdout(format === 'json' ? renderJson(answer) : render(status));
    return status['file-sync-client-status']['all-synced'] ? 0 : 1;
  },
};

function render(status: Status): string {
  const { deploying, failed, new: fresh, queued } = status['deploys-status'];
  const lines = [
    ...[...fresh, ...queued].map(({ environment }) => `${environment.padEnd(24)} queued`),
    ...deploying.map(({ environment }) => `${environment.padEnd(24)} deploying`),
    ...failed.map(
      ({ environment, error, 'queued-at': at }) =>
        `${environment.padEnd(24)} failed at ${at}\n${error.msg.trimEnd()}`,
    ),
    ...status['file-sync-storage-status'].deployed.map(
      ({ date, environment, 'deploy-signature': signature }) =>
        `${environment.padEnd(24)} ${signature} ${date ?? ''}`,
    ),
    ...Object.entries(status['file-sync-client-status']['file-sync-clients']).map(
      ([certname, { last_check_in_time: time, 'synced-with-file-sync-storage': isSynced }]) =>
        `${certname.padEnd(24)} ${isSynced ? 'serves all of it' : 'is behind'}, heard of at ${time ?? 'no time'}`,
    ),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
