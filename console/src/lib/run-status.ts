/** What a run has done to a node, as the ten statuses that the console tells apart. */

import type { NodeStatus } from '../../../src/services/console/wire.ts';

export type RunStatus = NodeStatus;

/** Worst first. */
export const statusWords: Readonly<Record<RunStatus, string>> = {
  failed: 'Failed',
  corrective: 'Corrective change',
  intentional: 'Intentional change',
  unchanged: 'Unchanged',
  'noop-failed': 'No-op, failed',
  'noop-corrective': 'No-op, would correct',
  'noop-intentional': 'No-op, would change',
  'noop-unchanged': 'No-op, unchanged',
  unresponsive: 'Unresponsive',
  unreported: 'Unreported',
};

/** Worst first. */
export const runStatuses = Object.keys(statusWords) as readonly RunStatus[];

/** What a report says of its run. */
export interface RunOutcome {
  readonly status: 'failed' | 'changed' | 'unchanged' | null;
  readonly noop: boolean | null;
  readonly noopPending: boolean | null;
  readonly corrective: boolean | null;
}

/** What has become of a run. */
export function outcomeStatus({ corrective, noop, noopPending, status }: RunOutcome): RunStatus {
  if (status === null) return 'unreported';
  if (noop === true) {
    if (status === 'failed') return 'noop-failed';
    if (noopPending !== true) return 'noop-unchanged';
    return corrective === true ? 'noop-corrective' : 'noop-intentional';
  }
  if (status === 'failed') return 'failed';
  if (status === 'unchanged') return 'unchanged';
  return corrective === true ? 'corrective' : 'intentional';
}
