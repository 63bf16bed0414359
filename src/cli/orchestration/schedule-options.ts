/** Options that let a job, a task or a plan start later, once or again and again. */

import { z } from 'zod';
import { parseSeconds } from '../../lib/duration.ts';
import { type CommandIo, UsageError } from '../command.ts';
import { type OutputFormat, renderJson } from '../output-format.ts';
import { type CommandLine, lastOf } from '../own-options.ts';
import { askOrchestrator } from './connection.ts';

export const scheduleOptions = ['--at', '--every', '--cron', '--time-zone'] as const;

export const scheduleUsage = `  --at TIME            Start at a time (2026-12-01T04:00:00Z, or with +01:00 for another zone), not now
  --every TIME         Start again and again, so much later each time (90m, 6h, 1d), from --at on
  --cron PATTERN       Start at these times: minute, hour, day of the month, month, day of the week ('0 4 * * MON-FRI')
  --time-zone ZONE     Whose clocks --cron means (Europe/Berlin; default: UTC)
`;

/** @returns what a `schedule_` command takes; `undefined` to start now @throws UsageError */
export function scheduleOf(line: CommandLine, nowMs: number): object | undefined {
  const [at, every, cron, timeZone] = scheduleOptions.map((name) => lastOf(line, name));
  if (every !== undefined && cron !== undefined) throw new UsageError('give one of --every and --cron');
  if (timeZone !== undefined && cron === undefined) throw new UsageError('--time-zone is for --cron');
  if (cron !== undefined) {
    const zone = timeZone === undefined ? {} : { time_zone: timeZone };
    return { ...(at === undefined ? {} : { scheduled_time: at }), schedule_options: { cron, ...zone } };
  }
  if (every === undefined) return at === undefined ? undefined : { scheduled_time: at };
  const seconds = parseSeconds(every);
  if (seconds === undefined) throw new UsageError(`--every is a duration like 90m, 6h or 1d, not '${every}'`);
  return {
    scheduled_time: at ?? new Date(nowMs + seconds * 1000).toISOString(),
    schedule_options: { interval: { units: 'seconds', value: seconds } },
  };
}

/**
 * Schedules a job.
 *
 * @param order - the command for one that starts now (`deploy`, `task`, `plan`), and its body
 * @returns the exit code
 */
export async function scheduleJob(
  line: CommandLine,
  io: CommandIo,
  order: { readonly command: string; readonly body: object; readonly format: OutputFormat },
  schedule: object,
): Promise<number> {
  const path = `/command/schedule_${order.command}`;
  const request = { method: 'POST', path, body: { ...order.body, ...schedule } } as const;
  const { name } = ScheduledWire.parse(await askOrchestrator(line, request)).scheduled_job;
  const answer = await askOrchestrator(line, { method: 'GET', path: `/scheduled_jobs/${name}` });
  if (order.format === 'json') io.stdout(renderJson(answer));
  else io.stdout(`Scheduled job ${name}: starts at ${NextWire.parse(answer).next_run ?? ''}\n`);
  return 0;
}

const ScheduledWire = z.object({ scheduled_job: z.object({ name: z.string() }) });
const NextWire = z.object({ next_run: z.string().nullable() });
