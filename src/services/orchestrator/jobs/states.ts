/**
 * States of jobs and of their nodes, by the names that the API has for them.
 *
 * @see Puppet Enterprise, "Jobs endpoint"
 */

export const jobStates = ['new', 'ready', 'running', 'stopping', 'stopped', 'finished', 'failed'] as const;
export type JobState = (typeof jobStates)[number];

/** `new` waits for its turn, `ready` has it and is sent a request, `running` from the moment that its agent may have begun. */
export type NodeState = 'new' | 'ready' | 'running' | 'finished' | 'failed' | 'errored' | 'skipped';

export const nodeStates: readonly NodeState[] = [
  'new',
  'ready',
  'running',
  'failed',
  'errored',
  'skipped',
  'finished',
];

export type EndState = Exclude<NodeState, 'new' | 'ready' | 'running'>;

export function hasEnded(state: NodeState): state is EndState {
  return state !== 'new' && state !== 'ready' && state !== 'running';
}

export function isJobOver(state: JobState): boolean {
  return state === 'stopped' || state === 'finished' || state === 'failed';
}
