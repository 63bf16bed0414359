/** The same action as a shell command. */

import type { ScheduleWire } from './schedules.ts';
import type { Scope } from './targets.ts';

/** Quoted where a shell would read more than one plain word. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Options that name the nodes. */
export function scopeWords(scope: Scope | undefined): readonly string[] {
  if (scope === undefined) return [];
  if ('nodes' in scope) return ['--nodes', scope.nodes.join(',')];
  if ('query' in scope) return ['--query', scope.query];
  return ['--node-group', scope.node_group];
}

/** Values as the command reads them: JSON where it is JSON, else text. */
export function parameterWords(values: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(values).map(([name, value]) => `${name}=${valueWord(value)}`);
}

function valueWord(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  try {
    JSON.parse(value);
    return JSON.stringify(value);
  } catch {
    return value; // text that is not JSON stands for itself
  }
}

export function scheduleWords(schedule: ScheduleWire | undefined): readonly string[] {
  if (schedule === undefined) return [];
  const { schedule_options: { cron, interval, time_zone: zone } = {}, scheduled_time: at } = schedule;
  return [
    ...(at === undefined ? [] : ['--at', at]),
    ...(interval === undefined ? [] : ['--every', `${interval.value}s`]),
    ...(cron === undefined ? [] : ['--cron', cron]),
    ...(zone === undefined ? [] : ['--time-zone', zone]),
  ];
}

interface Run {
  readonly name: string;
  /** Without sensitive ones. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly environment: string;
  readonly schedule?: ScheduleWire | undefined;
}

function environmentWords(environment: string): readonly string[] {
  return environment === 'production' ? [] : ['--environment', environment];
}

export function taskCommand({
  environment,
  isNoop,
  name,
  schedule,
  scope,
  values,
}: Run & { readonly scope: Scope | undefined; readonly isNoop: boolean }): string {
  return commandLine([
    'task run',
    name,
    ...parameterWords(values),
    ...scopeWords(scope),
    ...environmentWords(environment),
    ...(isNoop ? ['--noop'] : []),
    ...scheduleWords(schedule),
  ]);
}

export function planCommand({ environment, name, schedule, values }: Run): string {
  return commandLine([
    'plan run',
    name,
    ...parameterWords(values),
    ...environmentWords(environment),
    ...scheduleWords(schedule),
  ]);
}

interface PuppetRun {
  readonly scope: Scope | undefined;
  readonly isNoop: boolean;
  readonly isDebug?: boolean;
  /** That of each node when empty or absent. */
  readonly environment?: string;
  /** With commas between them. */
  readonly tags?: string;
  readonly schedule?: ScheduleWire | undefined;
}

export function deployCommand(run: PuppetRun): string {
  const { environment = '', isDebug = false, isNoop, schedule, scope, tags = '' } = run;
  return commandLine([
    'job run',
    ...scopeWords(scope),
    ...(environment === '' ? [] : ['--environment', environment]),
    ...(isNoop ? ['--noop'] : []),
    ...(isDebug ? ['--debug'] : []),
    ...(tags === '' ? [] : ['--tags', tags]),
    ...scheduleWords(schedule),
  ]);
}

/** The body of `/orchestrator/v1/command/deploy` for the same. */
export function deployBody(run: PuppetRun): object {
  const { environment = '', isDebug = false, isNoop, scope, tags = '' } = run;
  return {
    environment,
    enforce_environment: environment !== '',
    scope,
    ...(isNoop ? { noop: true } : {}),
    ...(isDebug ? { debug: true } : {}),
    ...(tags === '' ? {} : { tags }),
  };
}

/** Puppet on some nodes, then on the next. */
export function orderedCommand(order: readonly (readonly string[])[]): string {
  return commandLine(['job run', ...order.flatMap((names) => ['--order', names.join(',')])]);
}

/** @param words - the first are the name of the command */
export function commandLine([command = '', ...words]: readonly string[]): string {
  return ['bunraku', command, ...words.map(shellWord)].join(' ');
}
