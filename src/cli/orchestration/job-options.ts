/** Options that commands which start jobs have in common: on which nodes, in which environment. */

import { readFileSync } from 'node:fs';
import { UsageError } from '../command.ts';
import { type CommandLine, lastOf } from '../own-options.ts';
import { connectionOptions } from './connection.ts';
import { scheduleOptions } from './schedule-options.ts';

const scopeOptions = ['--nodes', '-n', '--query', '-q', '--node-group', '--connection-group'] as const;

/** Options with values of every command that starts a job. */
export const jobOptions = [
  ...connectionOptions,
  ...scopeOptions,
  '--environment',
  '-e',
  '--concurrency',
  '--batch',
  '--max-failures',
  ...scheduleOptions,
  '--description',
  '--format',
  '-F',
] as const;

export const scopeUsage = `  --nodes, -n NODE,... The nodes, with commas between them; @FILE reads them from a file, one a line
  --query, -q QUERY    The nodes that a PQL query finds
  --node-group ID      The nodes of a group
  --connection-group NAME
                       The nodes of a group of SSH connections
`;

export const limitsUsage = `  --concurrency N      How many nodes run at once (default: as many as the primary allows)
  --batch SIZE         Run on so many nodes (5, 10%), wait until all have ended, then on the next. 1,10%,50% are the sizes
                       of the first batches; the last size is that of all that follow
  --max-failures N     When more nodes than this (3, 5%) have failed, skip those that have not begun (default: no limit;
                       with an order or batches, 0)
`;

/** @throws UsageError for none, and for several at once */
export function scopeOf(line: CommandLine): object | undefined {
  const given = (...names: readonly string[]) => names.flatMap((name) => line.values.get(name) ?? []);
  const nodes = given('--nodes', '-n');
  const others = [
    ['query', given('--query', '-q')],
    ['node_group', given('--node-group')],
    ['connection_group', given('--connection-group')],
  ] as const;
  const found = others.filter(([, values]) => values.length > 0);
  if (found.length + (nodes.length > 0 ? 1 : 0) > 1)
    throw new UsageError('give one of --nodes, --query, --node-group and --connection-group');
  if (nodes.length > 0) return { nodes: nodes.flatMap(namesIn) };
  const [[name, values] = []] = found;
  if (values !== undefined && values.length > 1) throw new UsageError('give one query, or one group');
  return name === undefined ? undefined : { [name]: values?.[0] };
}

/** @throws UsageError when there is none */
export function requiredScope(line: CommandLine): object {
  const scope = scopeOf(line);
  if (scope === undefined) throw new UsageError('say on which nodes: --nodes, --query or --node-group');
  return scope;
}

/** Certnames with commas between them, or `@FILE` with them. */
export function namesIn(text: string): string[] {
  const names = text.startsWith('@') ? readFileSync(text.slice(1), 'utf8').split('\n') : text.split(',');
  return names.map((name) => name.trim()).filter((name) => name !== '');
}

/** What every job may be given. @throws UsageError for numbers that are none */
export function commonBody(line: CommandLine): object {
  const [description, concurrency] = [lastOf(line, '--description'), lastOf(line, '--concurrency')];
  if (concurrency !== undefined && !/^[1-9]\d{0,8}$/.test(concurrency))
    throw new UsageError(`--concurrency is a number from 1, not '${concurrency}'`);
  return {
    ...(description === undefined ? {} : { description }),
    ...(concurrency === undefined ? {} : { concurrency: Number(concurrency) }),
    ...batchOf(line),
  };
}

function batchOf(line: CommandLine): object {
  const [batch, failures] = [lastOf(line, '--batch'), lastOf(line, '--max-failures')];
  return {
    ...(batch === undefined ? {} : { batch: batch.split(',').map((text) => shareOf('--batch', text)) }),
    ...(failures === undefined ? {} : { max_failures: shareOf('--max-failures', failures) }),
  };
}

function shareOf(option: string, text: string): number | string {
  if (!/^\d{1,9}%?$/.test(text))
    throw new UsageError(`${option} takes numbers and percentages, not '${text}'`);
  return text.endsWith('%') ? text : Number(text);
}

export function environmentOf(line: CommandLine): string | undefined {
  return lastOf(line, '--environment') ?? lastOf(line, '-e');
}
