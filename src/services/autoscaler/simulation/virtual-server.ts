/** A compile server in virtual time: the real admission and the real meter, with workers that only wait. */

import { ServiceError } from '../../../lib/service-error.ts';
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

interface Inside {
  readonly node: number;
  readonly name: string;
  readonly leave: () => void;
}

/** As the gate of real servers has them. */
const maxWaitMs = 10_000;
const maxWaiting = 500;
const meanWeight = 0.1;

export class VirtualServer {
  readonly options: VirtualServerOptions;
  readonly meter: WorkMeter;
  phase: VirtualPhase = 'launching';
  /** The time that workers were busy, in ms. */
  busyMs = 0;
  private readonly admission: Admission;
  private readonly queue: Inside[] = [];
  private head = 0;
  private readonly running = new Map<number, Inside>();
  private meanMs: number;

  constructor(options: VirtualServerOptions) {
    this.options = options;
    this.meanMs = options.meanCompileMs;
    const { maxRetryDelaySeconds: maxRetryAfterSeconds, nowMs, random, workers } = options;
    this.admission = new Admission({
      places: workers,
      serviceMs: () => this.meanMs,
      maxWaitMs,
      maxWaiting,
      maxRetryAfterSeconds,
      message: 'busy',
      nowMs,
      random,
    });
    this.meter = new WorkMeter({
      nowMs,
      workers,
      meanCompileMs: () => this.meanMs,
      queued: () => this.waiting,
      eventLoop: () => 0,
    });
  }

  get inside(): number {
    return this.running.size + this.waiting;
  }
  private get waiting(): number {
    return this.queue.length - this.head;
  }

  /** @returns after how many seconds the node is to come again; `undefined` when it was let in */
  request(node: number, name: string): number | undefined {
    try {
      const leave = this.admission.enter(name);
      const end = this.meter.admit(name);
      this.queue.push({ node, name, leave: () => [leave(), end()] });
      return undefined;
    } catch (error) {
      const seconds = error instanceof ServiceError ? error.details['retryAfterSeconds'] : undefined;
      if (typeof seconds !== 'number') throw error;
      this.meter.putOff(name, seconds * 1000);
      return seconds;
    }
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
    this.running.set(next.node, next);
    return next.node;
  }

  /** @returns false when the server was lost meanwhile */
  finish(node: number, compileMs: number): boolean {
    const done = this.running.get(node);
    if (done === undefined) return false;
    this.running.delete(node);
    this.busyMs += compileMs;
    this.meanMs += meanWeight * (compileMs - this.meanMs);
    this.meter.compiled(done.name, compileMs);
    done.leave();
    return true;
  }

  /** Clients that wait went away. */
  abandonQueue(): void {
    for (const { leave } of this.queue.slice(this.head)) leave();
    this.queue.length = 0;
    this.head = 0;
  }

  /** @returns the nodes whose runs fail with it */
  lose(): readonly number[] {
    this.phase = 'lost';
    const failed = [...this.running.keys(), ...this.queue.slice(this.head).map(({ node }) => node)];
    this.running.clear();
    this.queue.length = 0;
    this.head = 0;
    return failed;
  }
}
