/** `bunraku command run` and `script run` */

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
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
import { scheduleOptions } from './schedule-options.ts';

const endUsage = `${scopeUsage}${limitsUsage}  --description TEXT   Shown with the job
  --format json        Print the job with its nodes when it is over
${connectionUsage}
Needs the permission commands:run. Exit code 1 when a node failed, could not be run or was skipped; 130 when interrupted: the
job goes on.
`;
/** Neither can be scheduled. */
const scriptOptions = jobOptions.filter((name) => !scheduleOptions.some((each) => each === name));
const commandOptions = scriptOptions.filter((name) => name !== '--environment' && name !== '-e');

export const commandRunCommand: Command = {
  name: 'command run',
  summary: 'Run a line in the shell of nodes, and show what it writes',
  usage: `
Usage: bunraku command run COMMAND --nodes NODE,... | --query QUERY | --node-group ID [OPTIONS]

  bunraku command run 'uptime; df -h /' --nodes web01.example.com,web02.example.com

Quote COMMAND, so that your shell passes it as one word. It is shown with the job: do not put passwords in it.

${endUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: commandOptions, flags: [] });
    const [command, ...more] = line.positional;
    if (command === undefined || more.length > 0) throw new UsageError('give one command, in quotes');
    const body = { command, scope: requiredScope(line), ...commonBody(line) };
    return await runJob(line, io, { command: 'run_command', body, format: outputFormat(line) });
  },
};

export const scriptRunCommand: Command = {
  name: 'script run',
  summary: 'Send a script to nodes, run it there, and show what it writes',
  usage: `
Usage: bunraku script run FILE [ARGUMENT ...] --nodes NODE,... | --query QUERY | --node-group ID [OPTIONS]

  bunraku script run ./cleanup.sh /var/tmp --nodes web01.example.com

FILE is on this machine. Its first line names its interpreter (#!/bin/sh). Arguments are shown with the job, the script is not.

  --environment, -e ENVIRONMENT
                       Whose module 'bunraku' carries it (default: production)
${endUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: scriptOptions, flags: [] });
    const [file, ...words] = line.positional;
    if (file === undefined) throw new UsageError('name a script');
    const body = {
      name: basename(file),
      content: readFileSync(file).toString('base64'),
      arguments: words,
      scope: requiredScope(line),
      environment: environmentOf(line) ?? 'production',
      ...commonBody(line),
    };
    return await runJob(line, io, { command: 'run_script', body, format: outputFormat(line) });
  },
};
