/** `bunraku job show`, `job list` and `job stop` */

import { z } from 'zod';
import { type Command, UsageError } from '../command.ts';
import { outputFormat, renderJson } from '../output-format.ts';
import { type CommandLine, lastOf, readCommandLine, refuseWords } from '../own-options.ts';
import { tableLines } from '../text-table.ts';
import { askOrchestrator, connectionOptions, connectionUsage } from './connection.ts';
import { showJob } from './follow-job.ts';
import { JobsWire, JobWire, type ListedJob } from './job-wire.ts';

const formatUsage = `  --format json        Print what the orchestrator answers
${connectionUsage}`;
const formatOptions = [...connectionOptions, '--format', '-F'];

export const jobShowCommand: Command = {
  name: 'job show',
  summary: 'Show a job with its result on each node',
  usage: `
Usage: bunraku job show JOB [OPTIONS]

${formatUsage}
Exit code 1 when a node failed, could not be run or was skipped.
`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: formatOptions, flags: [] });
    const format = outputFormat(line);
    const path = `/jobs/${jobIn(line)}`;
    const job = JobWire.parse(await askOrchestrator(line, { method: 'GET', path }));
    return await showJob(line, io, job, format);
  },
};

export const jobListCommand: Command = {
  name: 'job list',
  summary: 'List jobs, the newest first',
  usage: `
Usage: bunraku job list [--limit N] [OPTIONS]

  --limit N            How many (default: 20)
${formatUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: [...formatOptions, '--limit'], flags: [] });
    refuseWords(line.positional);
    const format = outputFormat(line);
    const limit = lastOf(line, '--limit') ?? '20';
    if (!/^\d{1,9}$/.test(limit)) throw new UsageError(`--limit is a number, not '${limit}'`);
    const answer = await askOrchestrator(line, { method: 'GET', path: `/jobs?limit=${limit}` });
    if (format === 'json') io.stdout(renderJson(answer));
    else for (const text of tableLines(JobsWire.parse(answer).items.map(rowOf))) io.stdout(`${text}\n`);
    return 0;
  },
};

export const jobStopCommand: Command = {
  name: 'job stop',
  summary: 'Stop a job: start no more nodes; nodes that run go on',
  usage: `
Usage: bunraku job stop JOB [OPTIONS]

  --force              End the job at once: what runs on nodes goes on, and its end is not waited for
${formatUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: formatOptions, flags: ['--force'] });
    const format = outputFormat(line);
    const force = line.flags.has('--force');
    const body = { job: jobIn(line), ...(force ? { force } : {}) };
    const answer = await askOrchestrator(line, { method: 'POST', path: '/command/stop', body });
    if (format === 'json') {
      io.stdout(renderJson(answer));
      return 0;
    }
    const { nodes } = StoppedWire.parse(answer).job;
    const counts = Object.entries(nodes).filter(([, number]) => number > 0);
    io.stdout(`Job ${body.job}: ${counts.map(([state, number]) => `${number} ${state}`).join(', ')}\n`);
    return 0;
  },
};

const StoppedWire = z.object({ job: z.object({ nodes: z.record(z.string(), z.number()) }) });

function jobIn({ positional: [job, ...more] }: CommandLine): string {
  if (job === undefined || more.length > 0 || !/^\d+$/.test(job))
    throw new UsageError('name one job by its number');
  return job;
}

function rowOf(job: ListedJob): Readonly<Record<string, unknown>> {
  const { command, environment, name, node_count: nodes, options, owner, state, timestamp } = job;
  const names: Readonly<Record<string, string>> = {
    deploy: 'puppet run',
    task: `task ${options.task ?? ''}`,
  };
  const what = names[command] ?? command.replace('_', ' ');
  return {
    job: name,
    state,
    what,
    environment: environment.name,
    nodes,
    owner: owner.login,
    since: timestamp,
  };
}
