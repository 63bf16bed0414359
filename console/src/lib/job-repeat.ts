/** The same job once more, as a request to the API. */

import type { Job, JobNode, NodeState } from './jobs.ts';

/** Nodes on which a job has not come to a good end. */
export const failedStates: readonly NodeState[] = ['failed', 'errored', 'skipped'];

/** The permission to start a job of this kind. */
export interface NeededPermission {
  readonly objectType: string;
  readonly action: string;
  readonly instance: string;
}

export interface Repeat {
  /** Below the root of the API. */
  readonly path: string;
  readonly needs: NeededPermission;
}

interface Impossible {
  /** Why it can't be run again from here. */
  readonly reason: string;
}

/** How a job can be run again. */
export function repeatOf({ options, type }: Pick<Job, 'options' | 'type'>): Repeat | Impossible {
  const { sensitive, task } = options;
  if (type === 'deploy')
    return {
      path: '/command/deploy',
      needs: { objectType: 'puppet_agent', action: 'run', instance: '*' },
    };
  if (type === 'command')
    return { path: '/command/run_command', needs: { objectType: 'commands', action: 'run', instance: '*' } };
  if (type === 'script') return { reason: 'The text of the script is not kept.' };
  if (type !== 'task' || typeof task !== 'string')
    return { reason: 'It was part of a plan: run the plan again.' };
  if (Array.isArray(sensitive) && sensitive.length > 0)
    return { reason: `Sensitive parameters are not kept: ${sensitive.join(', ')}.` };
  return { path: '/command/task', needs: { objectType: 'tasks', action: 'run', instance: task } };
}

/** Fields that the API returns but does not accept. */
const notAsked = new Set(['scope', 'order', 'sensitive', 'transport']);
/** The API shows false for these when a job did not set them. To send false would override the agents' configuration. */
const shownAlways = new Set(['debug', 'trace', 'evaltrace']);

/** The request for the same on these nodes, in the same order of levels. */
export function repeatBody(
  { options }: Pick<Job, 'options'>,
  nodes: readonly Pick<JobNode, 'name' | 'level'>[],
): Readonly<Record<string, unknown>> {
  const asked = Object.fromEntries(
    Object.entries(options).filter(
      ([name, value]) => !notAsked.has(name) && !(value === false && shownAlways.has(name)),
    ),
  );
  if (options['order'] === undefined) return { ...asked, scope: { nodes: nodes.map(({ name }) => name) } };
  const levels = Map.groupBy(nodes, ({ level = 0 }) => level);
  const order = Array.from(levels.keys())
    .toSorted((one, other) => one - other)
    .map((level) => levels.get(level)?.map(({ name }) => name));
  return { ...asked, order };
}
