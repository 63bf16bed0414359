/** `bunraku code deploy` */

import { z } from 'zod';
import { type Command, type CommandIo, UsageError } from '../command.ts';
import { type OutputFormat, outputFormat, renderJson } from '../output-format.ts';
import { type CommandLine, readCommandLine } from '../own-options.ts';
import { commitStaged } from './commit.ts';
import { askCodeManager, connectionOptions, connectionUsage, hasCodeManager } from './connection.ts';

const FailureWire = z.object({ msg: z.string() });
const DeployWire = z.looseObject({
  environment: z.string(),
  id: z.number(),
  status: z.string(),
  'deploy-signature': z.string().optional(),
  error: FailureWire.optional(),
  warnings: z.array(z.string()).optional(),
});
const DryRunWire = z.looseObject({
  environment: z.string().optional(),
  source: z.string(),
  error: FailureWire.optional(),
});

/** As long as the slowest deploy may take. */
const waitMs = 3_600_000;
const ownFlags = ['--all', '--dry-run', '--validate', '--no-modules', '--purge-in-use'];

export const codeDeployCommand: Command = {
  name: 'code deploy',
  summary: 'Deploy environments from their control repositories, or what is staged, to every server',
  usage: `
Usage: bunraku code deploy ENVIRONMENT ... | --all [OPTIONS] [--SETTING VALUE ...]
       bunraku code deploy [ENVIRONMENT] [--wait] [--message TEXT]

With control repositories (the setting code_manager_config names an r10k.yaml): the primary fetches the branches of the environments
and the modules of their Puppetfiles, commits them and tells every server. Without: commits what is staged, as
'bunraku code commit' does.

  --all                All environments that the sources have
  --wait, -w           Wait until the deploys have ended and every server in contact serves them
  --dry-run            Only ask the sources which environments they have
  --validate           Refuse code with syntax errors
  --node CERTNAME      With --validate: refuse code with which this node's catalog fails; may be given several times
  --module NAME        Deploy only this module of the Puppetfile; may be given several times
  --no-modules         Deploy no modules, except in new environments
  --purge-in-use       Remove the named environments when no source has them any more, even when nodes use them
  --format json        Print what the code manager answers
${connectionUsage}
Exit code 1 when a deploy failed.
`,
  async run(args, io) {
    const line = readCommandLine(args, {
      withValue: [...connectionOptions, '--message', '--node', '--module', '--format', '-F'],
      flags: [...ownFlags, '--wait', '-w'],
    });
    if (!hasCodeManager(line)) {
      refuseUnfit(line);
      return await commitStaged(line, io);
    }
    if (line.values.has('--message'))
      throw new UsageError(
        '--message is for what is staged: the messages here are those of the control repository',
      );
    if (line.flags.has('--purge-in-use') && line.positional.length === 0)
      throw new UsageError('--purge-in-use needs the names of the environments');
    if (line.positional.length === 0 && !line.flags.has('--all') && !line.flags.has('--dry-run'))
      throw new UsageError('name the environments, or give --all');
    const format = outputFormat(line);
    const answer = await askCodeManager(line, {
      method: 'POST',
      path: '/v1/deploys',
      body: requestOf(line),
      timeoutMs: waitMs,
    });
    if (format === 'json') io.stdout(renderJson(answer));
    return line.flags.has('--dry-run') ? showDryRun(answer, format, io) : showDeploys(answer, format, io);
  },
};

/** What is staged is committed as it is. */
function refuseUnfit(line: CommandLine): void {
  const given = [...line.flags, ...line.values.keys()];
  const unfit = [...ownFlags.slice(1), '--node', '--module', '--format', '-F'].find((option) =>
    given.includes(option),
  );
  if (unfit !== undefined)
    throw new UsageError(
      `${unfit} needs a control repository: there is no ${line.settings.codeManagerConfig}, which would name one`,
    );
}

function requestOf(line: CommandLine): object {
  const nodes = line.values.get('--node');
  return {
    ...(line.flags.has('--all') ? { 'deploy-all': true } : { environments: line.positional }),
    wait: isWaiting(line),
    'dry-run': line.flags.has('--dry-run'),
    'deploy-modules': !line.flags.has('--no-modules'),
    modules: line.values.get('--module') ?? [],
    'purge-in-use': line.flags.has('--purge-in-use'),
    ...(line.flags.has('--validate') || nodes !== undefined ? { validate: true } : {}),
    ...(nodes === undefined ? {} : { 'validate-nodes': nodes }),
  };
}

function isWaiting({ flags }: CommandLine): boolean {
  return flags.has('--wait') || flags.has('-w');
}

function showDeploys(answer: unknown, format: OutputFormat, io: CommandIo): number {
  const deploys = z.array(DeployWire).parse(answer);
  if (format === 'text')
    for (const { 'deploy-signature': signature, environment, error, status, warnings } of deploys) {
      io.stdout(`${environment.padEnd(24)} ${status}${signature === undefined ? '' : ` ${signature}`}\n`);
      if (error !== undefined) io.stderr(`${error.msg.trimEnd()}\n`);
      for (const warning of warnings ?? []) io.stderr(`Warning: ${warning}\n`);
    }
  return deploys.some(({ status }) => status === 'failed') ? 1 : 0;
}

function showDryRun(answer: unknown, format: OutputFormat, io: CommandIo): number {
  const found = z.array(DryRunWire).parse(answer);
  if (format === 'text')
    for (const { environment, error, source } of found) {
      if (environment !== undefined) io.stdout(`${environment.padEnd(24)} ${source}\n`);
      if (error !== undefined) io.stderr(`${source}: ${error.msg}\n`);
    }
  return found.some(({ error }) => error !== undefined) ? 1 : 0;
}
