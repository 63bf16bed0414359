/** Measures the catalog requests of one server: the work that arrives, and the work that it put off. */

import { type RunBatch, RunLog } from './run-log.ts';
import { WaitingNodes } from './waiting-nodes.ts';
import { WorkBins } from './work-bins.ts';

export interface WorkMeterOptions {
  /** On a clock that is never moved. */
  readonly nowMs: () => number;
  /** How many workers compile at the same time. */
  readonly workers: number;
  /** The mean compile time, for requests of unknown cost. */
  readonly meanCompileMs: () => number;
  /** Requests that were let in and wait for a worker. */
  readonly queued: () => number;
  /** How busy the main thread was in the last minute, 0 to 1. */
  readonly eventLoop: () => number;
}

/** The work that a server reports. */
export interface WorkReport {
  /** Worker-seconds that arrive per second. */
  readonly work: number;
  /** Worker-seconds that were put off or wait for a worker. */
  readonly backlogSeconds: number;
  /** Of the main thread, 0 to 1. */
  readonly eventLoop: number;
}

/** The median of these shows lasting load. */
export const workMinutes = 10;
/** A main thread that is busier than this makes agents wait. */
const busyEventLoop = 0.8;

/** @typeParam Node - what names a node; simulations have numbers, which are found faster */
export class WorkMeter<Node = string> {
  private readonly options: WorkMeterOptions;
  private readonly bins: WorkBins;
  private readonly waiting = new WaitingNodes<Node>();
  private readonly log = new RunLog<Node>();
  private longWaiting: ReadonlySet<Node> = new Set();
  /** When the requests that are inside arrived for the first time. */
  private readonly inside = new Map<Node, number>();

  constructor(options: WorkMeterOptions) {
    this.options = options;
    this.bins = new WorkBins({ minutes: workMinutes, startMs: options.nowMs() });
  }

  /** Nodes that have waited for long at any server, as the primary knows them. */
  noteLongWaiting(nodes: ReadonlySet<Node>): void {
    this.longWaiting = nodes;
  }

  hasWaitedLong(node: Node): boolean {
    return this.longWaiting.has(node);
  }

  /** A request was let in. `leave` is called when it has been answered. */
  admit(node: Node): void {
    const arrivedMs = this.waiting.since(node) ?? this.options.nowMs();
    this.inside.set(node, arrivedMs);
  }

  leave(node: Node): void {
    this.inside.delete(node);
  }

  /** A request was told to retry later. */
  putOff(node: Node, retryMs: number): void {
    const nowMs = this.options.nowMs();
    const workerSeconds = this.options.meanCompileMs() / 1000;
    const waitsSince = this.waiting.add(node, { sinceMs: nowMs, workerSeconds, retryAtMs: nowMs + retryMs });
    if (waitsSince === undefined) this.bins.add(nowMs, workerSeconds);
    this.log.add({ node, arrivedMs: waitsSince ?? nowMs, retryMs: Math.round(retryMs) });
  }

  /** A worker was busy with the request. */
  compiled(node: Node, workerMs: number): void {
    const arrivedMs = this.inside.get(node);
    // Not a request of an agent.
    if (arrivedMs === undefined) return;
    this.inside.delete(node);
    // The work of requests that waited was counted, by its estimate, when they first came.
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

  /** The runs that the primary has not acknowledged. */
  unreported(): RunBatch<Node> {
    this.waiting.expire(this.options.nowMs());
    return this.log.batch(this.options.nowMs());
  }

  /** The primary has acknowledged this many runs, from the first on. */
  acknowledge(told: { readonly first: number; readonly count: number }): void {
    this.log.acknowledge(told);
  }
}

/** @param work - worker-seconds per second @param eventLoop - of the main thread, 0 to 1 */
export function usedShare(work: number, eventLoop: number, workers: number): number {
  return Math.max(workers === 0 ? 0 : work / workers, eventLoop / busyEventLoop);
}
