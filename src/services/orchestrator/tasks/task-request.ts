/** What agents are sent to run a task, and what may be shown of it. */

import type { Json } from '../../../lib/json.ts';
import type { AgentRequest } from '../jobs/job.ts';
import { orchestratorError } from '../orchestrator-error.ts';
import { readTaskMetadata, type TaskMetadata } from './task-metadata.ts';
import type { TaskDetails, TaskParameters, TaskTerminus } from './task-terminus.ts';

export interface TaskRun {
  readonly environment: string;
  readonly task: string;
  readonly params: TaskParameters;
  readonly isNoop: boolean;
}

export interface TaskRequest {
  readonly request: AgentRequest;
  /** Without the values of sensitive parameters. */
  readonly shownParams: TaskParameters;
  /** Names of those that were given. */
  readonly sensitive: readonly string[];
}

/** Agents refuse longer messages: they drop the connection. Some room is left for the envelope. */
const mostRequestBytes = 31_900_000;
const taskNamePattern = /^[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*$/;

/**
 * @throws ServiceError `unknown-environment`, `unknown-task`, `validation-error` with all that is wrong with the parameters
 */
export async function prepareTask(tasks: TaskTerminus, run: TaskRun): Promise<TaskRequest> {
  const details = await findTask(tasks, run.environment, run.task);
  const metadata = readTaskMetadata(details.metadata);
  if (metadata === undefined) throw invalid(`The metadata of task ${run.task} is invalid`);
  if (run.isNoop && !metadata.supportsNoop) throw invalid(`Task ${run.task} does not support noop mode`);
  const given = withDefaults(run.params, metadata);
  await checkParameters(run, metadata);
  const sensitive = Object.keys(given).filter((name) => metadata.parameters?.get(name)?.isSensitive === true);
  return {
    request: requestFor(details, run.isNoop ? { ...given, _noop: true } : given),
    shownParams: Object.fromEntries(Object.entries(run.params).filter(([name]) => !sensitive.includes(name))),
    sensitive: sensitive.filter((name) => Object.hasOwn(run.params, name)),
  };
}

/** @throws ServiceError `unknown-environment`, `unknown-task`, `validation-error` */
export async function findTask(tasks: TaskTerminus, environment: string, name: string): Promise<TaskDetails> {
  if (!taskNamePattern.test(name)) throw invalid(`'${name}' is not a valid task name`);
  const answer = await tasks.task(environment, name);
  switch (answer.kind) {
    case 'found':
      return answer.value;
    case 'no-environment':
      throw unknownEnvironment(environment);
    case 'no-module':
    case 'not-in-module':
      throw orchestratorError('unknown-task', `Unknown task ${name} in environment ${environment}`, {
        task: name,
        environment,
      });
    case 'invalid':
      throw orchestratorError('validation-error', answer.issue.message, { ...answer.issue.details });
    default:
      return answer satisfies never;
  }
}

export function unknownEnvironment(environment: string): Error {
  return orchestratorError('unknown-environment', `Unknown environment ${environment}`, { environment });
}

function invalid(message: string): Error {
  return orchestratorError('validation-error', message);
}

function withDefaults(params: TaskParameters, { parameters }: TaskMetadata): TaskParameters {
  const defaults: Record<string, Json> = {};
  for (const [name, { defaultValue, hasDefault }] of parameters ?? [])
    if (hasDefault) defaults[name] = defaultValue;
  return { ...defaults, ...params };
}

async function checkParameters({ params, task }: TaskRun, { parameters }: TaskMetadata): Promise<void> {
  if (parameters === undefined) return;
  const { describeMistakes } = await import('./check-parameters.ts');
  const message = describeMistakes(task, parameters, params);
  // Messages name types, never values: a sensitive one cannot be among them.
  if (message !== undefined) throw invalid(message);
}

function requestFor({ files, metadata, name }: TaskDetails, input: TaskParameters): AgentRequest {
  const params = {
    task: name,
    input,
    metadata,
    files: files.map(({ filename, sha256, uri }) => ({
      filename,
      sha256: sha256.toLowerCase(),
      uri: { path: uri.path, params: uri.params },
    })),
  };
  if (Buffer.byteLength(JSON.stringify(params)) > mostRequestBytes)
    throw invalid('The parameters are too large for one message to an agent');
  return { module: 'task', action: 'run', params };
}
