/** The work of the whole fleet, from what servers report: each request counts once, even when it tried several servers. */

import type { ReportedRun, RunBatch } from '../measure/run-log.ts';
import { WaitingNodes } from '../measure/waiting-nodes.ts';
import { WorkBins } from '../measure/work-bins.ts';
import { workMinutes } from '../measure/work-meter.ts';
import { NodeSchedule } from './node-schedule.ts';
import { type Plan, Planner } from './plan.ts';

export interface FleetWorkOptions {
  readonly herdToleranceMs: number;
  readonly leadMs: () => number;
  readonly startMs: number;
}

/** Of the tolerance. */
const longShare = 0.5;
/** The latest bins lack what servers have not reported yet. A server that is silent for longer is not waited for. */
const reportingMs = 60_000;
/** So many that they are served within half a minute, and few enough for each check-in. */
const mostLongWaiting = 1000;

interface Reporter {
  readonly bins: WorkBins;
  /** Identifies the process of a server: after a restart, its runs are numbered from 0 again. */
  readonly startedAt: string;
  next: number;
  heardMs: number;
}

/** @typeParam Node - what names a node; simulations have numbers, which are found faster */
export class FleetWork<Node = string> {
  private readonly schedule = new NodeSchedule<Node>();
  private readonly planner: Planner;
  private readonly waiting = new WaitingNodes<Node>();
  private readonly reporters = new Map<string, Reporter>();
  /** Of all servers together. */
  private readonly bins: WorkBins;
  private readonly startMs: number;
  private readonly longMs: number;

  constructor(options: FleetWorkOptions) {
    this.startMs = options.startMs;
    this.bins = new WorkBins({ minutes: workMinutes, startMs: options.startMs });
    this.longMs = options.herdToleranceMs * longShare;
    this.planner = new Planner(this.schedule, options);
  }

  /**
   * Takes the runs of a server's check-in and ignores those that it reported before.
   *
   * @param startedAt - when the server started, in its own words
   */
  note(server: string, startedAt: string, { first, runs }: RunBatch<Node>, nowMs: number): void {
    const reporter = this.reporterOf(server, startedAt, nowMs);
    for (const run of runs.slice(Math.max(0, reporter.next - first))) this.noteRun(reporter, run, nowMs);
    reporter.heardMs = nowMs;
    reporter.next = Math.max(reporter.next, first + runs.length);
  }

  /** Worker-seconds per second that arrive at a server. */
  rate(server: string, nowMs: number): number {
    const reporter = this.reporters.get(server);
    return reporter?.bins.rate(reportedUntil([reporter], nowMs)) ?? 0;
  }

  /** Worker-seconds per second that arrive at all servers together. */
  totalRate(nowMs: number): number {
    return this.bins.rate(reportedUntil(this.reporters.values(), nowMs));
  }

  /** Worker-seconds of nodes that were told to retry later. */
  backlogSeconds(nowMs: number): number {
    this.waiting.expire(nowMs);
    return this.waiting.workerSeconds;
  }

  /** Nodes that have waited for long, those that came first before others. */
  longWaiting(nowMs: number): readonly Node[] {
    this.waiting.expire(nowMs);
    return this.waiting.oldest(nowMs - this.longMs, mostLongWaiting);
  }

  /** The mean worker time of a catalog; `undefined` before the first. */
  get meanCompileMs(): number | undefined {
    const { meanCost } = this.schedule;
    return meanCost === 0 ? undefined : meanCost * 1000;
  }
  get nodesWaiting(): number {
    return this.waiting.count;
  }
  get nodesKnown(): number {
    return this.schedule.size;
  }

  plan(nowMs: number): Plan {
    return this.planner.at(nowMs);
  }

  forgetServer(server: string): void {
    this.reporters.delete(server);
  }

  /** To be called now and then. */
  prune(nowMs: number): void {
    this.schedule.prune(nowMs);
  }

  private noteRun(
    { bins }: Reporter,
    { ageMs, node, retryMs, workerMs }: ReportedRun<Node>,
    nowMs: number,
  ): void {
    const arrivedMs = nowMs - ageMs;
    const arrive = (atMs: number, workerSeconds: number) => {
      for (const each of [bins, this.bins]) each.add(Math.max(atMs, this.startMs), workerSeconds);
      this.planner.note(atMs, workerSeconds);
    };
    if (workerMs === undefined) {
      const workerSeconds = this.schedule.costOf(node);
      const putOff = { sinceMs: arrivedMs, workerSeconds, retryAtMs: nowMs + (retryMs ?? 0) };
      if (this.waiting.add(node, putOff) === undefined) arrive(arrivedMs, workerSeconds);
      return;
    }
    // The work of a node that waited was counted, by its estimate, when it first came.
    const counted = this.waiting.remove(node) ?? { sinceMs: arrivedMs, workerSeconds: 0 };
    arrive(counted.sinceMs, workerMs / 1000 - counted.workerSeconds);
    this.schedule.note(node, counted.sinceMs, workerMs / 1000);
  }

  private reporterOf(server: string, startedAt: string, nowMs: number): Reporter {
    const known = this.reporters.get(server);
    if (known?.startedAt === startedAt) return known;
    const bins = known?.bins ?? new WorkBins({ minutes: workMinutes, startMs: nowMs });
    const reporter = { bins, startedAt, next: 0, heardMs: nowMs };
    this.reporters.set(server, reporter);
    return reporter;
  }
}

/** The time up to which all of these servers have reported. */
function reportedUntil(reporters: Iterable<Reporter>, nowMs: number): number {
  let until = nowMs;
  for (const { heardMs } of reporters) if (heardMs > nowMs - reportingMs) until = Math.min(until, heardMs);
  return until;
}
