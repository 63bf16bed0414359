/** `bunraku task run` */

import { type Command, UsageError } from '../command.ts';
import { outputFormat } from '../output-format.ts';
import { readCommandLine } from '../own-options.ts';
import { connectionUsage } from './connection.ts';
import { runJob } from './follow-job.ts';
import {
  commonBody,
  environmentOf,
  jobOptions,
  limitsUsage,
  requiredScope,
  scopeUsage,
} from './job-options.ts';
import { parametersOf } from './parameter-words.ts';
import { scheduleUsage } from './schedule-options.ts';

export const taskRunCommand: Command = {
  name: 'task run',
  summary: 'Run a task on nodes, and show the results',
  usage: `
Usage: bunraku task run TASK [PARAMETER=VALUE ...] --nodes NODE,... | --query QUERY | --node-group ID [OPTIONS]

  bunraku task run package action=status name=openssl --nodes web01.example.com,web02.example.com

A VALUE that is JSON (3, true, null, a list, a hash, text in quotes) is read as JSON; any other is text.

  --params JSON        All parameters as a hash, or @FILE with them
${scopeUsage}  --environment, -e ENVIRONMENT
                       Where the task is from (default: production)
  --noop               Ask the task to change nothing; it must support that
${limitsUsage}${scheduleUsage}  --description TEXT   Shown with the job
  --format json        Print the job with its nodes when it is over
${connectionUsage}
Exit code 1 when a node failed, could not be run or was skipped; 130 when interrupted: the job goes on.
`,
  async run(args, io) {
    const line = readCommandLine(args, {
      withValue: [...jobOptions, '--params'],
      flags: ['--noop'],
    });
    const [task, ...words] = line.positional;
    if (task === undefined) throw new UsageError('name a task');
    const body = {
      task,
      params: parametersOf(line, words),
      scope: requiredScope(line),
      environment: environmentOf(line) ?? 'production',
      noop: line.flags.has('--noop'),
      ...commonBody(line),
    };
    return await runJob(line, io, { command: 'task', body, format: outputFormat(line) });
  },
};
