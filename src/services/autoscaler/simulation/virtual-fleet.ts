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
  readonly names: readonly string[];
  private readonly options: VirtualFleetOptions;
  private readonly phases: Float64Array;
  private readonly costs: Float64Array;
  private hasFailed = false;

  constructor(options: VirtualFleetOptions) {
    this.options = options;
    const { compileMs, nodes, random, runIntervalMs } = options;
    this.names = Array.from({ length: nodes }, (_, index) => `node${index}.example.com`);
    this.phases = Float64Array.from({ length: nodes }, () => random() * runIntervalMs);
    // Catalogs differ: from half of the mean to one and a half.
    this.costs = Float64Array.from({ length: nodes }, () => compileMs * (0.5 + random()));
    const { daytime } = options.scenario;
    for (let node = 0; daytime !== undefined && node < nodes * daytime.share; node++)
      this.phases[node] = daytime.fromMs + random() * Math.min(dayStartMs, runIntervalMs);
  }

  /** The first time that a node comes. */
  first(node: number): number {
    return this.phases[node] ?? 0;
  }

  /** The time after `nowMs` at which it comes next; `undefined` when it does not. */
  next(node: number, nowMs: number): number | undefined {
    const { runIntervalMs, scenario } = this.options;
    const phase = this.phases[node] ?? 0;
    const at = phase + (Math.floor((nowMs - phase) / runIntervalMs) + 1) * runIntervalMs;
    const { daytime } = scenario;
    return daytime !== undefined && this.isDaytime(node) && at >= daytime.toMs ? undefined : at;
  }

  /** The time of a worker for the node's catalog. */
  compileMs(node: number, nowMs: number): number {
    const { deploy } = this.options.scenario;
    return (this.costs[node] ?? 0) * (deploy !== undefined && nowMs >= deploy.atMs ? deploy.factor : 1);
  }

  /** All nodes start again: what was to come before is void. */
  fail(nowMs: number): void {
    this.hasFailed = true;
    for (let node = 0; node < this.phases.length; node++)
      this.phases[node] = nowMs + bootMs + this.options.random() * restartMs;
  }

  /** Whether a time that `next` gave is void. */
  isVoid(node: number, atMs: number): boolean {
    if (!this.hasFailed) return false;
    const off = (atMs - (this.phases[node] ?? 0)) / this.options.runIntervalMs;
    return Math.abs(off - Math.round(off)) > 1e-6 || off < -1e-6;
  }

  private isDaytime(node: number): boolean {
    return node < this.options.nodes * (this.options.scenario.daytime?.share ?? 0);
  }
}
