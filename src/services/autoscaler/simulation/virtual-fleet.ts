/** The nodes of a simulation: when each comes, and what its catalog costs. */

import type { Scenario } from './scenarios.ts';

export interface VirtualFleetOptions {
  readonly nodes: number;
  readonly runIntervalMs: number;
  /** What a catalog takes a worker, on average. */
  readonly compileMs: number;
  readonly scenario: Scenario;
  readonly random: () => number;
}

/** All come back within this time after a power failure. */
const restartMs = 120_000;
/** Before the first agent of a machine that starts. */
const bootMs = 15_000;
const dayStartMs = 30 * 60_000;

export class VirtualFleet {
  private readonly options: VirtualFleetOptions;
  /** The first time that each node comes. */
  private readonly firsts: Float64Array;
  private readonly costs: Float64Array;
  /** Nodes in the order in which they come within an interval. */
  private order: Uint32Array;
  private place = 0;
  private intervalMs = 0;
  /** When the next node comes. */
  nextMs = 0;

  constructor(options: VirtualFleetOptions) {
    this.options = options;
    const { compileMs, nodes, random, runIntervalMs } = options;
    this.firsts = Float64Array.from({ length: nodes }, () => random() * runIntervalMs);
    // Catalogs differ: from half of the mean to one and a half.
    this.costs = Float64Array.from({ length: nodes }, () => compileMs * (0.5 + random()));
    const { daytime } = options.scenario;
    for (let node = 0; daytime !== undefined && node < nodes * daytime.share; node++)
      this.firsts[node] = daytime.fromMs + random() * Math.min(dayStartMs, runIntervalMs);
    this.order = this.sorted();
    this.look();
  }

  /** @returns the node that comes next; `undefined` when it is not there at that time */
  take(): number | undefined {
    const atMs = this.nextMs;
    const node = this.order[this.place] ?? 0;
    this.place += 1;
    if (this.place === this.order.length) {
      this.place = 0;
      this.intervalMs += this.options.runIntervalMs;
    }
    this.look();
    // Sums of large and small numbers are off by less than a millisecond.
    if (atMs + 1 < (this.firsts[node] ?? 0)) return undefined;
    const { daytime } = this.options.scenario;
    return daytime !== undefined && atMs >= daytime.toMs && this.isDaytime(node) ? undefined : node;
  }

  /** The time of a worker for the node's catalog. */
  compileMs(node: number, nowMs: number): number {
    const { deploy } = this.options.scenario;
    return (this.costs[node] ?? 0) * (deploy !== undefined && nowMs >= deploy.atMs ? deploy.factor : 1);
  }

  /** All nodes start again, and keep the phase that they get by that. */
  fail(nowMs: number): void {
    const { random, runIntervalMs } = this.options;
    for (let node = 0; node < this.firsts.length; node++)
      this.firsts[node] = nowMs + bootMs + random() * restartMs;
    this.order = this.sorted();
    this.intervalMs = Math.floor(nowMs / runIntervalMs) * runIntervalMs;
    this.place = 0;
    this.look();
    while (this.nextMs < nowMs) this.take();
  }

  private look(): void {
    this.nextMs = this.intervalMs + this.phase(this.order[this.place] ?? 0);
  }

  private sorted(): Uint32Array {
    const nodes = Uint32Array.from(this.firsts, (_, node) => node);
    return nodes.sort((a, b) => this.phase(a) - this.phase(b));
  }

  private phase(node: number): number {
    return (this.firsts[node] ?? 0) % this.options.runIntervalMs;
  }

  private isDaytime(node: number): boolean {
    return node < this.options.nodes * (this.options.scenario.daytime?.share ?? 0);
  }
}
