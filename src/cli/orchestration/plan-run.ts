/** `bunraku plan run` and `plan stop` */

import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type Command, type CommandIo, UsageError } from '../command.ts';
import { type OutputFormat, outputFormat, renderJson } from '../output-format.ts';
import { type CommandLine, lastOf, readCommandLine } from '../own-options.ts';
import { askOrchestrator, connectionOptions, connectionUsage } from './connection.ts';
import { parametersOf } from './parameter-words.ts';
import { scheduleJob, scheduleOf, scheduleOptions, scheduleUsage } from './schedule-options.ts';

const pollMs = 500;

export const planRunCommand: Command = {
  name: 'plan run',
  summary: 'Run a plan, and show what it says and returns',
  usage: `
Usage: bunraku plan run PLAN [PARAMETER=VALUE ...] [OPTIONS]

  bunraku plan run facts targets=web01.example.com,web02.example.com

A VALUE that is JSON (3, true, null, a list, a hash, text in quotes) is read as JSON; any other is text.

  --params JSON        All parameters as a hash, or @FILE with them
  --environment, -e ENVIRONMENT
                       Where the plan is from (default: production)
  --description TEXT   Shown with the plan job
${scheduleUsage}  --format json        Print the plan job when it is over
${connectionUsage}
Exit code 1 when the plan failed; 130 when interrupted: the plan goes on.
`,
  async run(args, io) {
    const line = readCommandLine(args, {
      withValue: [
        ...connectionOptions,
        ...scheduleOptions,
        '--params',
        '--environment',
        '-e',
        '--description',
        '--format',
        '-F',
      ],
      flags: [],
    });
    const [plan, ...words] = line.positional;
    if (plan === undefined) throw new UsageError('name a plan');
    const body = {
      plan_name: plan,
      params: parametersOf(line, words),
      environment: lastOf(line, '--environment') ?? lastOf(line, '-e') ?? 'production',
      description: lastOf(line, '--description') ?? '',
    };
    const format = outputFormat(line);
    const schedule = scheduleOf(line, Date.now());
    if (schedule !== undefined)
      return await scheduleJob(line, io, { command: 'plan', body, format }, schedule);
    const request = { method: 'POST', path: '/command/plan_run', body } as const;
    const { name } = NamedWire.parse(await askOrchestrator(line, request));
    if (format === 'text') io.stdout(`New plan job: ${name}\n`);
    return await follow(line, io, name, format);
  },
};

export const planStopCommand: Command = {
  name: 'plan stop',
  summary: 'End a plan where it is; what runs on nodes goes on',
  usage: `
Usage: bunraku plan stop JOB [OPTIONS]

JOB is the number of a plan job.

${connectionUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: connectionOptions, flags: [] });
    const [job, ...more] = line.positional;
    if (job === undefined || more.length > 0) throw new UsageError('name one plan job');
    const request = { method: 'POST', path: '/command/stop_plan', body: { plan_job: job } } as const;
    const { name } = NamedWire.parse(await askOrchestrator(line, request));
    io.stdout(`Stopped plan job ${name}\n`);
    return 0;
  },
};

const NamedWire = z.object({ name: z.string() });
const PlanJobWire = z.looseObject({ state: z.string(), result: z.unknown() });
const FailureWire = z.object({ kind: z.string(), msg: z.string() });
const EventsWire = z.object({
  'next-events': z.object({ event: z.string() }),
  items: z.array(z.object({ id: z.string(), type: z.string(), details: z.record(z.string(), z.unknown()) })),
});

/** Shows what a plan says until it is over. @returns the exit code */
async function follow(line: CommandLine, io: CommandIo, name: string, format: OutputFormat): Promise<number> {
  let start = '0';
  for (;;) {
    // In this order: events of a plan that is over are all there.
    const answer = await askOrchestrator(line, { method: 'GET', path: `/plan_jobs/${name}` });
    const job = PlanJobWire.parse(answer);
    const path = `/plan_jobs/${name}/events?start=${start}`;
    const events = EventsWire.parse(await askOrchestrator(line, { method: 'GET', path }));
    start = events['next-events'].event;
    if (format === 'text') for (const event of events.items) io.stdout(await textOf(line, name, event));
    if (job.state !== 'running') {
      io.stdout(format === 'json' ? renderJson(answer) : ending(job));
      return job.state === 'success' ? 0 : 1;
    }
    if (io.signal.aborted) {
      io.stderr(`Plan job ${name} goes on: 'bunraku plan stop ${name}'\n`);
      return 130;
    }
    // Ends early when somebody does not want to wait; the loop looks at the signal.
    await sleep(pollMs, undefined, { signal: io.signal }).catch(() => undefined);
  }
}

type PlanEvent = z.infer<typeof EventsWire>['items'][number];

async function textOf(line: CommandLine, job: string, { details, id, type }: PlanEvent): Promise<string> {
  if (type === 'out_message') {
    // The list has its beginning only.
    const path = `/plan_jobs/${job}/event/${id}`;
    const whole = EventWire.parse(await askOrchestrator(line, { method: 'GET', path }));
    return `${String(whole.details['message'])}\n`;
  }
  const number = details['job-id'];
  const [, what] = /^(\w+)_start$/.exec(type) ?? [];
  if (what === undefined || what === 'plan') return '';
  return `Started ${what}${typeof number === 'string' ? `, job ${number}` : ''} ...\n`;
}

const EventWire = z.object({ details: z.record(z.string(), z.unknown()) });

function ending({ result, state }: z.infer<typeof PlanJobWire>): string {
  if (state === 'success')
    return result === null || result === undefined ? 'The plan has finished\n' : renderJson(result);
  const failure = FailureWire.safeParse(result);
  const text = failure.success ? `${failure.data.msg} (${failure.data.kind})` : JSON.stringify(result);
  return `The plan has failed: ${text}\n`;
}
