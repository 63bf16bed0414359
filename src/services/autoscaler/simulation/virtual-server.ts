/** A compile server in virtual time: the real admission and the real meter, with workers that only wait. */

import { Admission } from '../../../platform/http/index.ts';
import { WorkMeter } from '../measure/work-meter.ts';

export interface VirtualServerOptions {
  readonly id: number;
  readonly slot: number | undefined;
  readonly workers: number;
  readonly nowMs: () => number;
  readonly random: () => number;
  /** What compiles take in the fleet. */
  readonly meanCompileMs: number;
  readonly maxRetryDelaySeconds: number;
}

export type VirtualPhase = 'launching' | 'serving' | 'draining' | 'lost';

/** As the gate of real servers has them. */
const maxWaitMs = 10_000;
const maxWaiting = 500;
const meanWeight = 0.1;

export class VirtualServer {
  readonly options: VirtualServerOptions;
  readonly meter: WorkMeter<number>;
  phase: VirtualPhase = 'launching';
  /** The time that workers were busy, in ms. */
  busyMs = 0;
  /** Requests that wait or are worked on. */
  inside = 0;
  private readonly admission: Admission<number>;
  private readonly queue: number[] = [];
  private head = 0;
  private readonly running = new Set<number>();
  private meanMs: number;

  constructor(options: VirtualServerOptions) {
    this.options = options;
    this.meanMs = options.meanCompileMs;
    const { maxRetryDelaySeconds: maxRetryAfterSeconds, nowMs, random, workers } = options;
    this.admission = new Admission<number>({
      places: workers,
      serviceMs: () => this.meanMs,
      maxWaitMs,
      maxWaiting,
      maxRetryAfterSeconds,
      message: 'busy',
      hasWaitedLong: (node) => this.meter.hasWaitedLong(node),
      nowMs,
      random,
    });
    this.meter = new WorkMeter<number>({
      nowMs,
      workers,
      meanCompileMs: () => this.meanMs,
      queued: () => this.waiting,
      eventLoop: () => 0,
    });
  }

  private get waiting(): number {
    return this.queue.length - this.head;
  }

  /** @returns after how many seconds the node is to come again; `undefined` when it was let in */
  request(node: number): number | undefined {
    const seconds = this.admission.tryEnter(node);
    if (seconds !== undefined) {
      this.meter.putOff(node, seconds * 1000);
      return seconds;
    }
    this.meter.admit(node);
    this.queue.push(node);
    this.inside += 1;
    return undefined;
  }

  /** @returns the node that a free worker takes next */
  begin(): number | undefined {
    if (this.running.size >= this.options.workers || this.waiting === 0) return undefined;
    const next = this.queue[this.head];
    if (next === undefined) return undefined;
    this.head += 1;
    if (this.head === this.queue.length) {
      this.queue.length = 0;
      this.head = 0;
    }
    this.running.add(next);
    return next;
  }

  /** @returns false when the server was lost meanwhile */
  finish(node: number, compileMs: number): boolean {
    if (!this.running.delete(node)) return false;
    this.busyMs += compileMs;
    this.meanMs += meanWeight * (compileMs - this.meanMs);
    this.meter.compiled(node, compileMs);
    this.leave(node);
    return true;
  }

  /** Clients that wait went away. */
  abandonQueue(): void {
    for (const waiting of this.queue.slice(this.head)) this.leave(waiting);
    this.queue.length = 0;
    this.head = 0;
  }

  /** @returns the nodes whose runs fail with it */
  lose(): readonly number[] {
    this.phase = 'lost';
    const failed = [...this.running, ...this.queue.slice(this.head)];
    this.running.clear();
    this.queue.length = 0;
    this.head = 0;
    this.inside = 0;
    return failed;
  }

  private leave(node: number): void {
    this.inside -= 1;
    this.admission.leave();
    this.meter.leave(node);
  }
}
