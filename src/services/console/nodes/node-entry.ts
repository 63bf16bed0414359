/** What the index knows of a node, and how it stands. */

import type { NodeStatus, RunOutcome } from '../wire.ts';

export interface NodeEntry {
  readonly certname: string;
  /** Of the last report. */
  readonly environment: string | undefined;
  /** Milliseconds since 1970: the end of the last run. */
  readonly reportTimeMs: number | undefined;
  readonly reportHash: string | undefined;
  readonly reportStatus: string | undefined;
  readonly isNoop: boolean;
  /** Whether a resource would have been changed, had it not been for `noop`. */
  readonly isNoopPending: boolean;
  readonly isCorrective: boolean;
  /** `not_used`, `explicitly_requested`, `on_failure` */
  readonly cachedCatalogStatus: string | undefined;
  readonly jobId: string | undefined;
}

/** @param cutoffMs - a node whose last report is older is unresponsive */
export function statusOf(entry: NodeEntry, cutoffMs: number): NodeStatus {
  if (entry.reportTimeMs === undefined) return 'unreported';
  if (entry.reportTimeMs < cutoffMs) return 'unresponsive';
  return outcomeOf(entry);
}

/** How a run ended. */
export function outcomeOf(
  entry: Pick<NodeEntry, 'isCorrective' | 'isNoop' | 'isNoopPending' | 'reportStatus'>,
): RunOutcome {
  if (entry.reportStatus === 'failed') return entry.isNoop ? 'noop-failed' : 'failed';
  if (entry.isNoop) {
    if (!entry.isNoopPending) return 'noop-unchanged';
    return entry.isCorrective ? 'noop-corrective' : 'noop-intentional';
  }
  if (entry.reportStatus !== 'changed') return 'unchanged';
  return entry.isCorrective ? 'corrective' : 'intentional';
}
