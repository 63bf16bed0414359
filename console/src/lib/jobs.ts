/** Jobs in words: their action, targets and progress. */

import type {
  JobAnswer as Job,
  JobEventAnswer,
  JobNodeAnswer,
} from '../../../src/services/orchestrator/answers/wire.ts';

export type { JobAnswer as Job } from '../../../src/services/orchestrator/answers/wire.ts';

/** What pages show of a node of a job. */
export type JobNode = Pick<
  JobNodeAnswer,
  'name' | 'state' | 'level' | 'duration' | 'finish_timestamp' | 'details' | 'result'
>;
export type JobEvent = Pick<JobEventAnswer, 'type' | 'message' | 'details'>;

export const jobStates = ['new', 'ready', 'running', 'stopping', 'stopped', 'finished', 'failed'] as const;
export type JobState = Job['state'];

/** Worst first, then those that are still to come. */
export const nodeStates = ['failed', 'errored', 'skipped', 'running', 'ready', 'new', 'finished'] as const;
export type NodeState = JobNode['state'];

export const typeWords: Readonly<Record<string, string>> = {
  deploy: 'Puppet run',
  task: 'Task',
  command: 'Command',
  script: 'Script',
  plan_task: 'Task of a plan',
  plan_command: 'Command of a plan',
  plan_script: 'Script of a plan',
  plan_upload: 'Upload of a plan',
  plan_apply: 'Catalog of a plan',
  plan_apply_prep: 'Preparation of a plan',
};

export const jobStateWords: Readonly<Record<JobState, string>> = {
  new: 'Waiting',
  ready: 'Waiting',
  running: 'Running',
  stopping: 'Stopping',
  stopped: 'Stopped',
  finished: 'Finished',
  failed: 'Failed',
};

export const nodeStateWords: Readonly<Record<NodeState, string>> = {
  failed: 'Failed',
  errored: 'Could not be run',
  skipped: 'Skipped',
  running: 'Running',
  ready: 'Starting',
  new: 'Waiting',
  finished: 'Finished',
};

export function isOver({ state }: Pick<Job, 'state'>): boolean {
  return state === 'stopped' || state === 'finished' || state === 'failed';
}

export function countOf({ node_states: counts }: Pick<Job, 'node_states'>, ...states: readonly NodeState[]) {
  return states.reduce((sum, state) => sum + (counts?.[state] ?? 0), 0);
}

/** `1 node`, `12 nodes` */
export function nodesText(count: number): string {
  return count === 1 ? '1 node' : `${count.toLocaleString('en')} nodes`;
}

/** The title of a job: its description, task or command. */
export function jobTitle({
  description,
  options,
  type,
}: Pick<Job, 'description' | 'options' | 'type'>): string {
  if (description !== '') return description;
  const noop = options['noop'] === true ? ', no-op' : '';
  if (type === 'deploy') return `Run Puppet${noop}`;
  const named = [options['task'], options['command'], options['name']].find(
    (each) => typeof each === 'string' && each !== '',
  );
  return typeof named === 'string' ? `${named}${noop}` : (typeWords[type] ?? type);
}

/** Which nodes were asked for, as the request said. */
export function targetText({ node_count: count, options }: Pick<Job, 'node_count' | 'options'>): string {
  const { order, scope } = options;
  if (order === 'infrastructure') return 'the servers of the installation, in order';
  if (Array.isArray(order)) return `${nodesText(count)} in ${order.length} stages`;
  if (typeof scope !== 'object' || scope === null) return nodesText(count);
  const wanted = scope as Readonly<Record<string, unknown>>;
  const { connection_group: connections, node_group: group, nodes, query } = wanted;
  if (Array.isArray(nodes) && nodes.length === 1) return String(nodes[0]);
  if (query !== undefined) return `query ${typeof query === 'string' ? query : JSON.stringify(query)}`;
  if (typeof group === 'string') return `node group ${group}`;
  if (typeof connections === 'string') return `connections of the group ${connections}`;
  if (wanted['whole_environment'] === true) return 'all nodes of the environment';
  return nodesText(count);
}

/** Options that other parts of the page show, or that say nothing: false is how they are without a word. */
const shownElsewhere = new Set([
  'scope',
  'order',
  'description',
  'environment',
  'task',
  'command',
  'plan_job',
  'transport',
]);

/** The other options of the request, as names and values. */
export function furtherOptions({ options }: Pick<Job, 'options'>): readonly (readonly [string, unknown])[] {
  return Object.entries(options).filter(
    ([name, value]) =>
      !shownElsewhere.has(name) &&
      value !== false &&
      value !== '' &&
      !(name === 'enforce_environment' && value === true) &&
      !(typeof value === 'object' && value !== null && Object.keys(value).length === 0),
  );
}

const optionTitles: Readonly<Record<string, string>> = {
  batch: 'Batch size',
  concurrency: 'Nodes at a time',
  debug: 'Debug',
  max_failures: 'Allowed failures',
  noop: 'No-op',
  skip_tags: 'Skipped tags',
  tags: 'Tags',
};

/** The title of an option; its name where it has none. */
export function optionTitle(name: string): string {
  return optionTitles[name] ?? name;
}

interface Part {
  /** Absent when it is the only part. */
  readonly title?: string;
  readonly text: string;
  readonly isError: boolean;
}

/** The result of a finished node, errors first. Reports of Puppet runs have their own pages. */
export function partsOf(type: string, { details, result = {}, state }: JobNode): readonly Part[] {
  const { _error: error, _output: output, msg, stderr, stdout, ...values } = result;
  const message =
    errorText(error) ?? (state === 'finished' ? undefined : (textOf(msg) ?? textOf(details.detail)));
  const rest =
    type === 'deploy' || type === 'command' || type === 'script' || msg !== undefined ? {} : values;
  const exitCode = values['exit_code'];
  return [
    ...part(message, state !== 'skipped'),
    ...(typeof exitCode === 'number' && exitCode !== 0 ? part(`Exit code ${exitCode}`, true) : []),
    ...part(textOf(stdout) ?? textOf(output), false),
    ...part(textOf(stderr), true, 'Standard error'),
    ...(Object.keys(rest).length === 0 ? [] : part(JSON.stringify(rest, undefined, 2), false)),
  ];
}

function part(text: string | undefined, isError: boolean, title?: string): readonly Part[] {
  return text === undefined ? [] : [{ text, isError, ...(title === undefined ? {} : { title }) }];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trimEnd() : undefined;
}

function errorText(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  return 'msg' in error ? textOf(error.msg) : JSON.stringify(error);
}

/** The report of a Puppet run, once PuppetDB has it. */
export function reportOf({ result }: JobNode): string | undefined {
  const hash = result?.['hash'];
  return typeof hash === 'string' ? hash : undefined;
}

/** Appends the output in these events to the output of each node, by certname. */
export function withOutput(
  before: Readonly<Record<string, string>>,
  events: readonly JobEvent[],
): Readonly<Record<string, string>> {
  const after: Record<string, string> = { ...before };
  for (const { details, message, type } of events)
    if (type === 'node_output' && details.node !== undefined)
      after[details.node] = (after[details.node] ?? '') + message;
  return after;
}
