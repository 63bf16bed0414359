/** `bunraku schedule list`, `show`, `enable`, `disable` and `delete` */

import { z } from 'zod';
import { type Command, UsageError } from '../command.ts';
import { outputFormat, renderJson } from '../output-format.ts';
import { type CommandLine, readCommandLine, refuseWords } from '../own-options.ts';
import { tableLines } from '../text-table.ts';
import { askOrchestrator, connectionOptions, connectionUsage } from './connection.ts';

const formatUsage = `  --format json        Print what the orchestrator answers
${connectionUsage}`;
const options = { withValue: [...connectionOptions, '--format', '-F'], flags: [] };

export const scheduleListCommand: Command = {
  name: 'schedule list',
  summary: 'List what is scheduled, the next first',
  usage: `
Usage: bunraku schedule list [OPTIONS]

'bunraku job run', 'task run' and 'plan run' schedule with --at, --every and --cron.

${formatUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, options);
    refuseWords(line.positional);
    const answer = await askOrchestrator(line, { method: 'GET', path: '/scheduled_jobs' });
    if (outputFormat(line) === 'json') io.stdout(renderJson(answer));
    else for (const text of tableLines(ListWire.parse(answer).items.map(rowOf))) io.stdout(`${text}\n`);
    return 0;
  },
};

export const scheduleShowCommand: Command = {
  name: 'schedule show',
  summary: 'Show what is scheduled, and what its last run was',
  usage: `
Usage: bunraku schedule show JOB [OPTIONS]

JOB is the number of a scheduled job.

${connectionUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, options);
    io.stdout(
      renderJson(await askOrchestrator(line, { method: 'GET', path: `/scheduled_jobs/${jobIn(line)}` })),
    );
    return 0;
  },
};

export const scheduleEnableCommand = switching('enable', 'Let what is scheduled start again', true);
export const scheduleDisableCommand = switching(
  'disable',
  'Keep what is scheduled, and start nothing of it',
  false,
);

export const scheduleDeleteCommand: Command = {
  name: 'schedule delete',
  summary: 'Delete what is scheduled; jobs that it started go on',
  usage: `
Usage: bunraku schedule delete JOB [OPTIONS]

JOB is the number of a scheduled job. Those of other users need the permission scheduled_jobs:delete.

${connectionUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, options);
    const job = jobIn(line);
    await askOrchestrator(line, { method: 'DELETE', path: `/scheduled_jobs/${job}` });
    io.stdout(`Deleted scheduled job ${job}\n`);
    return 0;
  },
};

function switching(verb: 'enable' | 'disable', summary: string, enabled: boolean): Command {
  return {
    name: `schedule ${verb}`,
    summary,
    usage: `
Usage: bunraku schedule ${verb} JOB [OPTIONS]

JOB is the number of a scheduled job.

${connectionUsage}`,
    async run(args, io) {
      const line = readCommandLine(args, options);
      const job = jobIn(line);
      const path = `/scheduled_jobs/environment_jobs/${job}`;
      await askOrchestrator(line, { method: 'PUT', path, body: { enabled } });
      io.stdout(`Scheduled job ${job} is ${verb}d\n`);
      return 0;
    },
  };
}

const ItemWire = z.looseObject({
  name: z.string(),
  type: z.string(),
  task: z.string().optional(),
  plan: z.string().optional(),
  environment: z.string(),
  owner: z.object({ login: z.string() }),
  next_run: z.string().nullable(),
  schedule_options: z.object({
    interval: z.object({ value: z.number() }).optional(),
    cron: z.string().optional(),
    time_zone: z.string().optional(),
  }),
  last_run: z
    .object({ job: z.object({ name: z.string() }).optional(), error: z.string().optional() })
    .nullable(),
});
const ListWire = z.looseObject({ items: z.array(ItemWire) });

function rowOf({
  environment,
  last_run: last,
  name,
  next_run: next,
  owner,
  ...job
}: z.infer<typeof ItemWire>) {
  const { cron, interval, time_zone: zone } = job.schedule_options;
  const repeated = cron === undefined ? 'once' : `${cron} (${zone ?? 'UTC'})`;
  return {
    job: name,
    next: next ?? 'disabled',
    repeated: interval === undefined ? repeated : `every ${interval.value} s`,
    what: job.type === 'deploy' ? 'puppet run' : `${job.type} ${job.task ?? job.plan ?? ''}`,
    environment,
    owner: owner.login,
    last: last?.error ?? (last?.job === undefined ? '' : `job ${last.job.name}`),
  };
}

function jobIn({ positional: [job, ...more] }: CommandLine): string {
  if (job === undefined || more.length > 0 || !/^\d+$/.test(job))
    throw new UsageError('name one scheduled job by its number');
  return job;
}
