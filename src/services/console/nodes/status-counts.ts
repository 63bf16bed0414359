/**
 * How many nodes have which status, in all and of each environment: kept from one change to the next, so that no request goes through
 * all nodes.
 */

import { type NodeStatus, nodeStatuses } from '../wire.ts';
import { type NodeEntry, statusOf } from './node-entry.ts';

export type Counts = Readonly<Record<NodeStatus, number>>;
type MutableCounts = Record<NodeStatus, number>;

export class StatusCounts {
  /** What was counted. */
  private entries: readonly NodeEntry[] | undefined;
  /** As of when: statuses change by themselves as time passes. */
  private cutoffMs = 0;
  /** Of the nodes that are not unresponsive yet, the oldest report. */
  private oldestMs = Number.POSITIVE_INFINITY;
  private all = noCounts();
  private readonly byEnvironment = new Map<string, MutableCounts>();

  /** @param environment - all nodes when absent @param cutoffMs - a node whose last report is older is unresponsive */
  of(entries: readonly NodeEntry[], environment: string | undefined, cutoffMs: number): Counts {
    const isOld = this.entries !== entries || cutoffMs < this.cutoffMs || this.oldestMs < cutoffMs;
    if (isOld) this.count(entries, cutoffMs);
    const counts = environment === undefined ? this.all : this.byEnvironment.get(environment);
    return { ...(counts ?? noCounts()) };
  }

  /** @param old - entries that are in `before` and not in `after` @param fresh - those that are there instead */
  exchange(
    before: readonly NodeEntry[],
    after: readonly NodeEntry[],
    { fresh, old }: { readonly old: readonly NodeEntry[]; readonly fresh: readonly NodeEntry[] },
  ): void {
    if (this.entries !== before) return;
    this.entries = after;
    for (const entry of old) this.add(entry, -1);
    for (const entry of fresh) this.add(entry, 1);
  }

  private count(entries: readonly NodeEntry[], cutoffMs: number): void {
    this.entries = entries;
    this.cutoffMs = cutoffMs;
    this.oldestMs = Number.POSITIVE_INFINITY;
    this.all = noCounts();
    this.byEnvironment.clear();
    for (const entry of entries) this.add(entry, 1);
  }

  private add(entry: NodeEntry, change: 1 | -1): void {
    const status = statusOf(entry, this.cutoffMs);
    this.all[status] += change;
    const { environment, reportTimeMs } = entry;
    if (environment !== undefined) this.countsIn(environment)[status] += change;
    if (reportTimeMs !== undefined && reportTimeMs >= this.cutoffMs && reportTimeMs < this.oldestMs)
      this.oldestMs = reportTimeMs;
  }

  private countsIn(environment: string): MutableCounts {
    const known = this.byEnvironment.get(environment);
    if (known !== undefined) return known;
    const counts = noCounts();
    this.byEnvironment.set(environment, counts);
    return counts;
  }
}

/** Counts the given nodes one by one. */
export function countStatuses(entries: readonly NodeEntry[], cutoffMs: number): Counts {
  const counts = noCounts();
  for (const entry of entries) counts[statusOf(entry, cutoffMs)] += 1;
  return counts;
}

function noCounts(): MutableCounts {
  return Object.fromEntries(nodeStatuses.map((status) => [status, 0])) as MutableCounts;
}
