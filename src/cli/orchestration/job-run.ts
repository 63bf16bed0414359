/** `bunraku job run` */

import { type Command, UsageError } from '../command.ts';
import { outputFormat } from '../output-format.ts';
import { type CommandLine, lastOf, readCommandLine, refuseWords } from '../own-options.ts';
import { connectionUsage } from './connection.ts';
import { runJob } from './follow-job.ts';
import {
  commonBody,
  environmentOf,
  jobOptions,
  limitsUsage,
  namesIn,
  scopeOf,
  scopeUsage,
} from './job-options.ts';
import { scheduleUsage } from './schedule-options.ts';

/** Options of Puppet that may be switched on and off. */
const switches = ['--debug', '--trace', '--evaltrace', '--use_cached_catalog', '--usecacheonfailure'];
const withValue = ['--tags', '--skip_tags', '--ordering', '--filetimeout'];

export const jobRunCommand: Command = {
  name: 'job run',
  summary: 'Run Puppet on nodes, and show the results',
  usage: `
Usage: bunraku job run --nodes NODE,... | --query QUERY | --node-group ID [OPTIONS]
       bunraku job run --environment ENVIRONMENT [OPTIONS]
       bunraku job run --order NODE,... --order NODE,... [OPTIONS]
       bunraku job run --infrastructure [OPTIONS]

Without nodes, Puppet runs on all nodes whose last catalog was of the environment.

${scopeUsage}  --order NODE,...     Nodes in an order: those of the next --order begin when all before have ended, and are skipped when
                       one has failed
  --infrastructure     All servers of the installation in the order that they need: compile servers, PuppetDB, console,
                       primary
  --environment, -e ENVIRONMENT
                       Run in this environment; nodes that are classified into another one fail. Without it each node
                       runs in its own
  --no-enforce-environment
                       With --environment: take the nodes of the environment, but let each run in its own
  --noop, --no-noop    Change nothing; change something even where the agent's configuration says noop
${limitsUsage}${scheduleUsage}  --description TEXT   Shown with the job
  --debug, --trace, --evaltrace, --use_cached_catalog, --usecacheonfailure, and each with --no-
  --tags, --skip_tags, --ordering, --filetimeout VALUE
                       As 'puppet agent' has them
  --format json        Print the job with its nodes when it is over
${connectionUsage}
Exit code 1 when a node failed, could not be run or was skipped; 130 when interrupted: the job goes on.
`,
  async run(args, io) {
    const line = readCommandLine(args, {
      withValue: [...jobOptions, ...withValue, '--order'],
      flags: [
        '--infrastructure',
        '--noop',
        '--no-noop',
        '--no-enforce-environment',
        ...switches,
        ...switches.map((name) => name.replace('--', '--no-')),
      ],
    });
    refuseWords(line.positional);
    const format = outputFormat(line);
    return await runJob(line, io, { command: 'deploy', body: bodyOf(line), format });
  },
};

function bodyOf(line: CommandLine): object {
  const environment = environmentOf(line) ?? '';
  const scope = scopeOf(line);
  const order = orderOf(line);
  if (scope === undefined && order === undefined && environment === '')
    throw new UsageError(
      'say on which nodes: --nodes, --query, --node-group, --environment, --order or --infrastructure',
    );
  if (scope !== undefined && order !== undefined)
    throw new UsageError('--order and --infrastructure name the nodes: leave --nodes, --query, --node-group');
  const { flags } = line;
  if (flags.has('--noop') && flags.has('--no-noop')) throw new UsageError('give one of --noop and --no-noop');
  return {
    environment,
    ...(scope === undefined ? {} : { scope }),
    ...(order === undefined ? {} : { order }),
    ...(environment === '' || flags.has('--no-enforce-environment') ? { enforce_environment: false } : {}),
    ...(flags.has('--noop') ? { noop: true } : {}),
    ...(flags.has('--no-noop') ? { no_noop: true } : {}),
    ...commonBody(line),
    ...Object.fromEntries(switches.flatMap((name) => switchOf(name, flags))),
    ...Object.fromEntries(withValue.flatMap((name) => valueOf(name, line))),
  };
}

/** @throws UsageError for both */
function orderOf({ flags, values }: CommandLine): 'infrastructure' | readonly string[][] | undefined {
  const levels = values.get('--order')?.map((text) => namesIn(text));
  if (!flags.has('--infrastructure')) return levels;
  if (levels !== undefined) throw new UsageError('give one of --order and --infrastructure');
  return 'infrastructure';
}

function switchOf(name: string, flags: ReadonlySet<string>): readonly (readonly [string, boolean])[] {
  const option = name.slice(2);
  if (flags.has(`--no-${option}`)) return [[option, false]];
  return flags.has(name) ? [[option, true]] : [];
}

function valueOf(name: string, line: CommandLine): readonly (readonly [string, string])[] {
  const value = lastOf(line, name);
  return value === undefined ? [] : [[name.slice(2), value]];
}
