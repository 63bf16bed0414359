/** `bunraku code rollback` */

import { z } from 'zod';
import { type Command, type CommandIo, UsageError } from '../command.ts';
import { type CommandLine, lastOf, readCommandLine } from '../own-options.ts';
import { askCodeManager, connectionOptions, connectionUsage } from './connection.ts';

const RolledBackWire = z.object({
  environment: z.string(),
  'deploy-signature': z.string().nullable(),
  'file-sync': z.object({ 'environment-commit': z.string() }),
  'all-synced': z.boolean(),
});
const VersionsWire = z.array(
  z.object({
    commit: z.string(),
    date: z.string(),
    'deploy-signature': z.string().nullable(),
    'is-current': z.boolean(),
  }),
);

export const codeRollbackCommand: Command = {
  name: 'code rollback',
  summary: 'Serve an earlier version of an environment at once',
  usage: `
Usage: bunraku code rollback ENVIRONMENT [--to COMMIT] [--SETTING VALUE ...]
       bunraku code rollback ENVIRONMENT --list

Every server serves an earlier version, modules included, from its own copies: nothing is fetched. It
stays until the next deploy of the environment.

  --to COMMIT   Which: the beginning of a commit of the control repository, or of file sync (default: the one before)
  --list        Show the versions that are kept
${connectionUsage}
Exit code 1 when a server in contact does not serve it in time.
`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: [...connectionOptions, '--to'], flags: ['--list'] });
    const [environment, ...more] = line.positional;
    if (environment === undefined || more.length > 0) throw new UsageError('name one environment');
    if (line.flags.has('--list')) return await list(environment, line, io);
    const commit = lastOf(line, '--to');
    const answer = RolledBackWire.parse(
      await askCodeManager(line, {
        method: 'POST',
        path: '/v1/rollback',
        body: { environment, ...(commit === undefined ? {} : { commit }) },
        timeoutMs: 600_000,
      }),
    );
    const served = answer['all-synced'] ? 'served by every server' : 'not yet served by every server';
    io.stdout(`${environment.padEnd(24)} ${nameOf(answer['deploy-signature'], answer)} ${served}\n`);
    return answer['all-synced'] ? 0 : 1;
  },
};

function nameOf(signature: string | null, answer: z.infer<typeof RolledBackWire>): string {
  return signature ?? answer['file-sync']['environment-commit'];
}

async function list(environment: string, line: CommandLine, io: CommandIo): Promise<number> {
  const path = `/v1/environments/${encodeURIComponent(environment)}/versions`;
  const versions = VersionsWire.parse(await askCodeManager(line, { method: 'GET', path }));
  for (const { commit, date, 'deploy-signature': signature, 'is-current': isCurrent } of versions)
    io.stdout(`${isCurrent ? '*' : ' '} ${commit} ${date} ${signature ?? ''}`.trimEnd().concat('\n'));
  return 0;
}
