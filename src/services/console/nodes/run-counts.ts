/**
 * How many runs ended in which quarter of an hour, and how. PuppetDB counts those of the last hours once; after that each new report of
 * a node is added to what is known.
 */

import type { ConsoleClocks } from '../console-clocks.ts';
import { type RunOutcome, runOutcomes } from '../wire.ts';
import { type NodeEntry, outcomeOf } from './node-entry.ts';
import type { CountedRuns, NodeSource } from './node-source.ts';

export const quarterMs = 15 * 60_000;
/** Six hours. */
export const shownQuarters = 24;
/** Reports of this last period are read one by one, to know whether a new report was already counted. */
const recentMs = 60_000;
/** A count that takes longer is given up. */
const limitMs = 20_000;

export type OutcomeCounts = Readonly<Record<RunOutcome, number>>;

export interface RunQuarter {
  /** Milliseconds since 1970. */
  readonly fromMs: number;
  readonly counts: OutcomeCounts;
}

type MutableCounts = Record<RunOutcome, number>;

export class RunCounts {
  private readonly source: Pick<NodeSource, 'runs'>;
  private readonly nowMs: () => number;
  /** By the begin of the quarter, then by environment. */
  private readonly quarters = new Map<number, Map<string, MutableCounts>>();
  /** From then on PuppetDB has to be asked; undefined when all is known. */
  private unknownFromMs: number | undefined = 0;
  private reading: Promise<void> | undefined;
  /** Reports that were counted as soon as they were stored, by hash. */
  private recent: ReadonlySet<string> = new Set();
  /** What was stored while PuppetDB counted. */
  private waiting: NodeEntry[] = [];

  constructor(source: Pick<NodeSource, 'runs'>, { nowMs }: Pick<ConsoleClocks, 'nowMs'>) {
    this.source = source;
    this.nowMs = nowMs;
  }

  /** The quarters of the last hours, the oldest first. @param environment - all when absent */
  async of(environment: string | undefined): Promise<readonly RunQuarter[]> {
    const firstMs = quarterOf(this.nowMs()) - (shownQuarters - 1) * quarterMs;
    for (const known of this.quarters.keys()) if (known < firstMs) this.quarters.delete(known);
    while (this.reading !== undefined || this.unknownFromMs !== undefined) {
      this.reading ??= this.read(Math.max(firstMs, this.unknownFromMs ?? 0)).finally(() => {
        this.reading = undefined;
      });
      await this.reading;
    }
    return Array.from({ length: shownQuarters }, (_, index) => {
      const fromMs = firstMs + index * quarterMs;
      return { fromMs, counts: this.sum(fromMs, environment) };
    });
  }

  /** Some nodes have changed. @param old - as they were */
  exchange(old: readonly NodeEntry[], fresh: readonly NodeEntry[]): void {
    if (this.unknownFromMs !== undefined && this.reading === undefined) return;
    const before = new Map(old.map(({ certname, reportHash }) => [certname, reportHash]));
    const runs = fresh.filter(
      ({ certname, reportHash }) => reportHash !== undefined && before.get(certname) !== reportHash,
    );
    if (this.reading === undefined) this.addNew(runs);
    else this.waiting.push(...runs);
  }

  /** Runs may have been missed: the last quarters are counted again when somebody asks. */
  recountLast(): void {
    this.unknownFromMs = Math.min(this.unknownFromMs ?? Infinity, quarterOf(this.nowMs()) - quarterMs);
  }

  /** Nobody looks any more. */
  forget(): void {
    this.quarters.clear();
    this.recent = new Set();
    this.unknownFromMs = 0;
  }

  /** Shared by everybody who waits; it goes on when one of them leaves. */
  private async read(fromMs: number): Promise<void> {
    this.waiting = [];
    this.unknownFromMs = undefined;
    try {
      const producedFromMs = this.nowMs() - recentMs;
      const signal = AbortSignal.timeout(limitMs);
      const { earlier, recent } = await this.source.runs({ endedFromMs: fromMs, producedFromMs }, signal);
      for (const known of this.quarters.keys()) if (known >= fromMs) this.quarters.delete(known);
      for (const runs of [...earlier, ...recent]) this.add(runs, runs.count);
      this.recent = new Set(recent.map(({ hash }) => hash));
      this.addNew(this.waiting);
    } catch (error) {
      this.unknownFromMs = Math.min(this.unknownFromMs ?? Infinity, fromMs);
      throw error;
    }
  }

  private addNew(entries: readonly NodeEntry[]): void {
    for (const entry of entries) {
      const { reportHash = '', reportTimeMs: endMs } = entry;
      if (endMs !== undefined && !this.recent.has(reportHash)) this.add({ ...entry, endMs }, 1);
    }
  }

  private add(run: Omit<CountedRuns, 'count'>, count: number): void {
    const fromMs = quarterOf(run.endMs);
    const quarter = this.quarters.get(fromMs) ?? new Map<string, MutableCounts>();
    this.quarters.set(fromMs, quarter);
    const environment = run.environment ?? '';
    const counts = quarter.get(environment) ?? noRuns();
    quarter.set(environment, counts);
    counts[outcomeOf(run)] += count;
  }

  private sum(fromMs: number, environment: string | undefined): OutcomeCounts {
    const quarter = this.quarters.get(fromMs) ?? new Map<string, MutableCounts>();
    if (environment !== undefined) return { ...(quarter.get(environment) ?? noRuns()) };
    const all = noRuns();
    for (const counts of quarter.values()) for (const each of runOutcomes) all[each] += counts[each];
    return all;
  }
}

function quarterOf(timeMs: number): number {
  return Math.floor(timeMs / quarterMs) * quarterMs;
}

function noRuns(): MutableCounts {
  return Object.fromEntries(runOutcomes.map((outcome) => [outcome, 0])) as MutableCounts;
}
