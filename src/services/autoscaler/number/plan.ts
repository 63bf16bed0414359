/** The work that the schedule of nodes plans, and whether to believe it. */

import type { NodeSchedule } from './node-schedule.ts';

export interface PlanOptions {
  /** How long a crowd of agents may take to be served. */
  readonly herdToleranceMs: number;
  /** From an order until the new server serves. */
  readonly leadMs: () => number;
  readonly startMs: number;
}

export interface Plan {
  /** Workers that are busy with the largest crowd to come, when it is spread over the tolerance. */
  readonly workers: number;
  /** The error of the last forecasts, as a share of the work that came; `undefined` before it is known. */
  readonly error: number | undefined;
  readonly isTrusted: boolean;
  /** The same of the largest crowd in the last run interval: it may come again. */
  readonly recentPeak: number;
}

const minuteMs = 60_000;
/** One run interval of most fleets. */
const horizonMinutes = 30;
const mostError = 0.25;
/** Minutes of which forecast and truth are compared: windows of the tolerance, over one run interval. */
const comparedMinutes = 40;
/** Launches may take so long. */
const mostLeadMinutes = 30;
const kept = 128;

export class Planner {
  private readonly schedule: Pick<NodeSchedule, 'forecast'>;
  private readonly options: PlanOptions;
  private readonly came = new Float64Array(kept);
  private readonly foreseen = new Float64Array(kept);
  private readonly firstMinute: number;
  private minute: number;
  /** The first minute with a forecast. */
  private foreseenFrom: number | undefined;
  private plan: Plan = { workers: 0, error: undefined, isTrusted: false, recentPeak: 0 };

  constructor(schedule: Pick<NodeSchedule, 'forecast'>, options: PlanOptions) {
    this.schedule = schedule;
    this.options = options;
    this.firstMinute = Math.floor(options.startMs / minuteMs);
    this.minute = this.firstMinute;
  }

  /** Work arrived for the first time. */
  note(arrivedMs: number, workerSeconds: number): void {
    const minute = Math.floor(arrivedMs / minuteMs);
    if (minute < this.firstMinute || minute <= this.minute - comparedMinutes || minute > this.minute) return;
    this.came[minute % kept] = (this.came[minute % kept] ?? 0) + workerSeconds;
  }

  /** Made anew once a minute. */
  at(nowMs: number): Plan {
    const minute = Math.floor(nowMs / minuteMs);
    if (minute === this.minute) return this.plan;
    for (let next = Math.max(this.minute + 1, minute - kept + 1); next <= minute; next++)
      this.came[next % kept] = 0;
    this.minute = minute;
    this.plan = this.make(nowMs);
    return this.plan;
  }

  private make(nowMs: number): Plan {
    const lead = Math.min(mostLeadMinutes, Math.ceil(this.options.leadMs() / minuteMs));
    const window = Math.max(1, Math.round(this.options.herdToleranceMs / minuteMs));
    const from = (this.minute + lead) * minuteMs;
    const due = this.schedule.forecast(nowMs, from, horizonMinutes + window, minuteMs);
    this.foreseen[(this.minute + lead) % kept] = due[0] ?? 0;
    this.foreseenFrom ??= this.minute + lead;
    const error = this.error(window);
    const recent = Float64Array.from(
      { length: Math.min(horizonMinutes + window, this.minute - this.firstMinute + 1) },
      (_, age) => this.came[(this.minute - age) % kept] ?? 0,
    );
    return {
      workers: highestMean(due, window) / (minuteMs / 1000),
      error,
      isTrusted: error !== undefined && error <= mostError,
      recentPeak: highestMean(recent, window) / (minuteMs / 1000),
    };
  }

  /** Compares means over the tolerance, since the plan is made for those. */
  private error(window: number): number | undefined {
    // The last complete minute may lack runs that are under way.
    const end = this.minute - 1;
    const start = end - comparedMinutes;
    if (this.foreseenFrom === undefined || start < Math.max(this.foreseenFrom, this.firstMinute + 1))
      return undefined;
    let [off, sum] = [0, 0];
    for (let minute = start; minute + window <= end; minute++) {
      const came = sumOf(this.came, minute, window);
      off += Math.abs(sumOf(this.foreseen, minute, window) - came);
      sum += came;
    }
    return sum === 0 ? undefined : off / sum;
  }
}

function sumOf(ring: Float64Array, from: number, length: number): number {
  let sum = 0;
  for (let minute = from; minute < from + length; minute++) sum += ring[minute % kept] ?? 0;
  return sum;
}

function highestMean(values: Float64Array, window: number): number {
  let sum = 0;
  let highest = 0;
  for (const [index, value] of values.entries()) {
    sum += value - (values[index - window] ?? 0);
    if (index >= window - 1) highest = Math.max(highest, sum);
  }
  return highest / window;
}
