/** `bunraku task run` */

import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Command, UsageError } from '../command.ts';
import { outputFormat } from '../output-format.ts';
import { type CommandLine, lastOf, readCommandLine } from '../own-options.ts';
import { connectionOptions, connectionUsage } from './connection.ts';
import { runJob } from './follow-job.ts';
import { concurrencyOf } from './job-run.ts';
import { requiredScope, scopeOptions, scopeUsage } from './scope-options.ts';

export const taskRunCommand: Command = {
  name: 'task run',
  summary: 'Run a task on nodes, and show what comes of it',
  usage: `
Usage: bunraku task run TASK [PARAMETER=VALUE ...] --nodes NODE,... | --query QUERY | --node-group ID [OPTIONS]

  bunraku task run package action=status name=openssl --nodes web01.example.com,web02.example.com

A VALUE that is JSON (3, true, null, a list, a hash, text in quotes) is taken for that; any other is text.

  --params JSON        All parameters as a hash, or @FILE with them
${scopeUsage}  --environment, -e ENVIRONMENT
                       Where the task is from (default: production)
  --noop               Ask the task to change nothing; it must support that
  --concurrency N      How many nodes run it at once (default: as many as the primary lets)
  --description TEXT   Shown with the job
  --format json        Print the job with its nodes when it is over
${connectionUsage}
Exit code 1 when a node failed, could not be run or was skipped; 130 when interrupted: the job goes on.
`,
  async run(args, io) {
    const line = readCommandLine(args, {
      withValue: [
        ...connectionOptions,
        ...scopeOptions,
        '--params',
        '--environment',
        '-e',
        '--concurrency',
        '--description',
        '--format',
        '-F',
      ],
      flags: ['--noop'],
    });
    const [task, ...words] = line.positional;
    if (task === undefined) throw new UsageError('name a task');
    const description = lastOf(line, '--description');
    const body = {
      task,
      params: parametersOf(line, words),
      scope: requiredScope(line),
      environment: lastOf(line, '--environment') ?? lastOf(line, '-e') ?? 'production',
      noop: line.flags.has('--noop'),
      ...(description === undefined ? {} : { description }),
      ...concurrencyOf(line),
    };
    return await runJob(line, io, { command: 'task', body, format: outputFormat(line) });
  },
};

function parametersOf(line: CommandLine, words: readonly string[]): object {
  const text = lastOf(line, '--params');
  const named = words.map((word) => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
    if (name === undefined || value === undefined)
      throw new UsageError(`'${word}' is no parameter: write NAME=VALUE`);
    return [name, valueIn(value)] as const;
  });
  return { ...(text === undefined ? {} : hashIn(text)), ...Object.fromEntries(named) };
}

function hashIn(text: string): object {
  const json = text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text;
  const found = z.record(z.string(), z.json()).safeParse(valueIn(json));
  if (!found.success) throw new UsageError('--params is a hash in JSON, or @FILE with one');
  return found.data;
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
