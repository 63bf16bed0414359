/** Shows a job while it runs, and what came of it. */

import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { ServiceError } from '../../lib/service-error.ts';
import type { CommandIo } from '../command.ts';
import { type OutputFormat, renderJson } from '../output-format.ts';
import type { CommandLine } from '../own-options.ts';
import { askOrchestrator } from './connection.ts';
import { EventsWire, JobWire, type ListedJob, type ListedNode, NodesWire, StartedWire } from './job-wire.ts';
import { scheduleJob, scheduleOf } from './schedule-options.ts';

const pollMs = 500;
/** How long a primary that does not answer is waited for. */
const patienceMs = 120_000;
const overStates = new Set(['finished', 'failed', 'stopped']);
const clearLine = '\r\u001B[K';

/**
 * Starts a job and follows it to its end, or schedules it.
 *
 * @param command - `deploy`, `task`
 * @returns the exit code: 1 when a node has failed or was left out
 */
export async function runJob(
  line: CommandLine,
  io: CommandIo,
  order: { readonly command: string; readonly body: object; readonly format: OutputFormat },
): Promise<number> {
  const { body, command, format } = order;
  const schedule = scheduleOf(line, Date.now());
  if (schedule !== undefined) return await scheduleJob(line, io, order, schedule);
  const path = `/command/${command}`;
  const { job } = StartedWire.parse(await askOrchestrator(line, { method: 'POST', path, body }));
  if (format === 'text') io.stdout(`New job: ${job.name}\n`);
  const ended = await follow(line, io, job.name, format);
  if (ended === undefined) {
    io.stderr(`Job ${job.name} goes on: 'bunraku job show ${job.name}', 'bunraku job stop ${job.name}'\n`);
    return 130;
  }
  return await showJob(line, io, ended, format);
}

/** Prints a job with its nodes. @returns the exit code */
export async function showJob(
  line: CommandLine,
  io: CommandIo,
  job: ListedJob,
  format: OutputFormat,
): Promise<number> {
  const path = `/jobs/${job.name}/nodes`;
  const nodes = NodesWire.parse(await askOrchestrator(line, { method: 'GET', path }));
  if (format === 'json') io.stdout(renderJson({ ...job, items: nodes.items }));
  else io.stdout([...nodes.items.flatMap((node) => nodeLines(node, job)), summary(job), ''].join('\n'));
  return count(job, 'failed') + count(job, 'errored') + count(job, 'skipped') > 0 ? 1 : 0;
}

/** @returns `undefined` when somebody asked to stop waiting */
async function follow(
  line: CommandLine,
  io: CommandIo,
  name: string,
  format: OutputFormat,
): Promise<ListedJob | undefined> {
  const isLive = io.isTerminal && format === 'text';
  let start = '0';
  let awayMs = 0;
  for (;;) {
    const found = await look(line, name, start).catch((error: unknown) => {
      // Jobs survive a restart of the primary, and so does this.
      const isAway = error instanceof ServiceError && error.reason === 'unavailable';
      if (!isAway || awayMs > patienceMs) throw error;
      return undefined;
    });
    awayMs = found === undefined ? awayMs + pollMs : 0;
    start = found?.next ?? start;
    if (isLive) io.stdout(clearLine);
    if (format === 'text') for (const message of found?.messages ?? []) io.stdout(`${message}\n`);
    if (found !== undefined && overStates.has(found.job.state)) return found.job;
    if (isLive) io.stdout(found === undefined ? 'the primary does not answer' : progress(found.job));
    if (io.signal.aborted) {
      if (isLive) io.stdout('\n');
      return undefined;
    }
    // Ends early when somebody does not want to wait; the loop looks at the signal.
    await sleep(pollMs, undefined, { signal: io.signal }).catch(() => undefined);
  }
}

/** In this order: events of a job that is over are all there. */
async function look(line: CommandLine, name: string, start: string) {
  const job = JobWire.parse(await askOrchestrator(line, { method: 'GET', path: `/jobs/${name}` }));
  const path = `/jobs/${name}/events?start=${start}`;
  const events = EventsWire.parse(await askOrchestrator(line, { method: 'GET', path }));
  return {
    job,
    messages: events.items.flatMap(({ details, message, type }) =>
      type === 'node_output' ? outputLines(details.node ?? '', message) : [message],
    ),
    next: events['next-events'].event,
  };
}

/** What nodes write appears while they run, each line with its node. */
function outputLines(node: string, text: string): readonly string[] {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((each) => `${node} | ${each}`);
}

function progress(job: ListedJob): string {
  const ended = ['finished', 'failed', 'errored', 'skipped'].reduce(
    (sum, state) => sum + count(job, state),
    0,
  );
  const width = 20;
  const filled = job.node_count === 0 ? width : Math.floor((ended / job.node_count) * width);
  const bar = `${'#'.repeat(filled)}${'-'.repeat(width - filled)}`;
  const failed = count(job, 'failed') + count(job, 'errored');
  const trouble = failed === 0 ? '' : `, ${failed} failed`;
  return `[${bar}] ${ended}/${job.node_count}, ${count(job, 'running')} running${trouble}`;
}

function summary(job: ListedJob): string {
  const finished = count(job, 'finished');
  const parts = [
    [count(job, 'failed'), 'failed'],
    [count(job, 'errored'), 'could not be run'],
    [count(job, 'skipped'), 'skipped'],
    [count(job, 'running') + count(job, 'ready'), 'running'],
    [count(job, 'new'), 'waiting'],
  ] as const;
  const others = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return [`Job ${job.name} ${job.state}: ${finished} of ${job.node_count} nodes succeeded`, ...others].join(
    ', ',
  );
}

function count({ node_states: states }: ListedJob, state: string): number {
  return states?.[state] ?? 0;
}

function nodeLines(
  { details, duration, name, result, state }: ListedNode,
  job: ListedJob,
): readonly string[] {
  const took = duration === null ? '' : ` (${duration.toFixed(1)} s)`;
  const head = `${name}: ${state}${took}`;
  if (details.detail !== undefined) return [head, `  ${details.detail}`];
  if (result === undefined) return [head];
  const shown = resultOf(job, result);
  return [head, ...shown.map((text) => `  ${text}`)];
}

function resultOf({ command }: ListedJob, result: NonNullable<ListedNode['result']>): readonly string[] {
  if (command === 'deploy') return runResult(result);
  // The whole report, or all facts, would be too much.
  if (command === 'plan_apply') return applyResult(result);
  if (command === 'plan_apply_prep') return [`${Object.keys(result).length} facts`];
  const isOfFiles = command === 'plan_upload' || command === 'plan_download';
  return command.endsWith('task') || isOfFiles ? taskResult(result) : processResult(result);
}

function runResult({ metrics, status }: NonNullable<ListedNode['result']>): readonly string[] {
  if (typeof metrics !== 'object' || metrics === null) return [String(status)];
  const shown = ['total', 'changed', 'failed', 'skipped', 'corrective_change'] as const;
  const numbers = new Map(Object.entries(metrics));
  return [
    `${String(status)}; resources: ${shown.map((name) => `${String(numbers.get(name) ?? 0)} ${name.replace('_', ' ')}`).join(', ')}`,
  ];
}

function applyResult({ _error: error, status }: NonNullable<ListedNode['result']>): readonly string[] {
  const message = z.object({ msg: z.string() }).safeParse(error);
  return [message.success ? message.data.msg : String(status)];
}

function taskResult({ _output: output, ...rest }: NonNullable<ListedNode['result']>): readonly string[] {
  const text = typeof output === 'string' ? output.trimEnd().split('\n') : [];
  const json = Object.keys(rest).length === 0 ? [] : JSON.stringify(rest, undefined, 2).split('\n');
  return [...text, ...json].filter((each) => each !== '');
}

/** What a command or a script wrote, and how it ended. */
function processResult(result: NonNullable<ListedNode['result']>): readonly string[] {
  const { exit_code: code, stderr, stdout } = result;
  const lines = [stdout, stderr].flatMap((text) =>
    typeof text === 'string' ? text.trimEnd().split('\n') : [],
  );
  return [...lines.filter((each) => each !== ''), ...(code === 0 ? [] : [`exit code ${String(code)}`])];
}
