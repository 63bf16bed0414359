/** Tasks of the live code. */

import type {
  ListedTask,
  TaskDetailsAnswer,
  Tasks,
} from '../../../src/services/orchestrator/answers/wire.ts';
import { get } from './client.ts';

export type { ListedTask } from '../../../src/services/orchestrator/answers/wire.ts';

const root = '/orchestrator/v1/tasks';

export interface TaskDetails extends Pick<TaskDetailsAnswer, 'name'> {
  readonly metadata: TaskMetadata;
}

export interface TaskMetadata {
  readonly description?: string;
  readonly supports_noop?: boolean;
  /** Absent for tasks that take any. */
  readonly parameters?: Readonly<Record<string, TaskParameter>> | null;
}

export interface TaskParameter {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly sensitive?: boolean;
}

/** Those that the user may run. */
export async function readTasks(environment: string, signal: AbortSignal): Promise<readonly ListedTask[]> {
  return (await get<Tasks>(root, { environment }, signal)).items;
}

/** @throws ApiError 404 for one that the environment doesn't have */
export async function readTask(name: string, environment: string, signal: AbortSignal): Promise<TaskDetails> {
  return await get(`${root}/${codePath(name)}`, { environment }, signal);
}

/** `module/name`, as addresses of tasks and plans have it. */
export function codePath(name: string): string {
  const [module = '', rest = 'init'] = name.split(/::(.*)/s);
  return `${encodeURIComponent(module)}/${encodeURIComponent(rest)}`;
}
