/** What one server measures of its requests for catalogs: the work that arrives, and the work that it put off. */

import { type RunBatch, RunLog } from './run-log.ts';
import { WaitingNodes } from './waiting-nodes.ts';
import { WorkBins } from './work-bins.ts';

export interface WorkMeterOptions {
  /** On a clock that is never moved. */
  readonly nowMs: () => number;
  /** How many workers compile at the same time. */
  readonly workers: number;
  /** What a compile takes, for requests of which nothing else is known. */
  readonly meanCompileMs: () => number;
  /** Requests that were let in and wait for a worker. */
  readonly queued: () => number;
  /** How busy the main thread was in the last minute, 0 to 1. */
  readonly eventLoop: () => number;
}

/** What a server says of its work. */
export interface WorkReport {
  /** Worker-seconds that arrive per second. */
  readonly work: number;
  /** Worker-seconds that were put off or wait for a worker. */
  readonly backlogSeconds: number;
  /** Of the main thread, 0 to 1. */
  readonly eventLoop: number;
}

/** Load that lasts is what the median of these shows. */
export const workBinMs = 60_000;
export const workBins = 10;
/** A main thread that is busier than this makes agents wait. */
const busyEventLoop = 0.8;

export class WorkMeter {
  private readonly options: WorkMeterOptions;
  private readonly bins: WorkBins;
  private readonly waiting = new WaitingNodes();
  private readonly log = new RunLog();
  /** When the requests that are inside arrived for the first time. */
  private readonly inside = new Map<string, number>();

  constructor(options: WorkMeterOptions) {
    this.options = options;
    this.bins = new WorkBins({ binMs: workBinMs, bins: workBins, startMs: options.nowMs() });
  }

  /** A request was let in. @returns to be called when it has been answered */
  admit(node: string): () => void {
    const arrivedMs = this.waiting.since(node) ?? this.options.nowMs();
    this.inside.set(node, arrivedMs);
    return () => void this.inside.delete(node);
  }

  /** A request was told to retry later. */
  putOff(node: string, retryMs: number): void {
    const nowMs = this.options.nowMs();
    const workerSeconds = this.options.meanCompileMs() / 1000;
    const waitsSince = this.waiting.since(node);
    this.waiting.add(node, { sinceMs: nowMs, workerSeconds, retryAtMs: nowMs + retryMs });
    if (waitsSince === undefined) this.bins.add(nowMs, workerSeconds);
    this.log.add({ node, arrivedMs: waitsSince ?? nowMs, retryMs: Math.round(retryMs) });
  }

  /** A worker was busy with the request. */
  compiled(node: string, workerMs: number): void {
    const arrivedMs = this.inside.get(node);
    // Not a request of an agent.
    if (arrivedMs === undefined) return;
    this.inside.delete(node);
    // The work of those that waited was counted when they came, as far as it could be known.
    const counted = this.waiting.remove(node)?.workerSeconds ?? 0;
    this.bins.add(arrivedMs, workerMs / 1000 - counted);
    this.log.add({ node, arrivedMs, workerMs: Math.round(workerMs) });
  }

  report(): WorkReport {
    const { eventLoop, meanCompileMs, nowMs, queued } = this.options;
    this.waiting.expire(nowMs());
    return {
      work: this.bins.rate(nowMs()),
      backlogSeconds: this.waiting.workerSeconds + (queued() * meanCompileMs()) / 1000,
      eventLoop: eventLoop(),
    };
  }

  /** The share of this server's capacity that is used; above 1 when more arrives than it can do. */
  used(): number {
    const { eventLoop, work } = this.report();
    return usedShare(work, eventLoop, this.options.workers);
  }

  /** What the primary has not been told yet. */
  unreported(): RunBatch {
    this.waiting.expire(this.options.nowMs());
    return this.log.batch(this.options.nowMs());
  }

  /** The primary has so many runs, from the first on. */
  acknowledge(told: { readonly first: number; readonly count: number }): void {
    this.log.acknowledge(told);
  }
}

/** @param work - worker-seconds per second @param eventLoop - of the main thread, 0 to 1 */
export function usedShare(work: number, eventLoop: number, workers: number): number {
  return Math.max(workers === 0 ? 0 : work / workers, eventLoop / busyEventLoop);
}
