/** What a simulation measures, and the bounds that it is held against. */

export interface Minute {
  /** Worker-seconds that arrived. */
  readonly offered: number;
  /** Workers of the servers that serve. */
  readonly capacity: number;
  /** Servers that cost something: those that launch and drain as well. */
  readonly servers: number;
  /** Whether servers were added or removed. */
  readonly actions: number;
  readonly isAtMax: boolean;
}

export interface Outcome {
  readonly runs: number;
  /** Runs of servers that vanished, or without a server. */
  readonly failedRuns: number;
  readonly retries: number;
  /** From the first request to the catalog. */
  readonly longestWaitSeconds: number;
  /** 99 of 100 runs are faster. */
  readonly highWaitSeconds: number;
  /** Runs later than the tolerance. */
  readonly lateRuns: number;
  readonly mostServers: number;
  readonly serverHours: number;
  /** Of servers that would follow the load without delay. */
  readonly idealServerHours: number;
  readonly actions: number;
  /** The most in one hour without an event. */
  readonly mostActionsInSteadyHour: number;
  /** The share of minutes without an event in which the load is from 0.4 to 0.85 of the capacity. */
  readonly shareInBand: number;
  readonly hasReachedMax: boolean;
}

export interface Yardstick {
  readonly target: number;
  readonly workers: number;
  readonly min: number;
  readonly herdToleranceSeconds: number;
  /** Events of the scenario, in ms: two hours after each are not steady, nor are the first two of the day. */
  readonly eventsMs: readonly number[];
}

const plannedShare = 0.85;
const unsteadyMinutes = 120;
const intervalMinutes = 30;

/** The load that a fleet is planned for at each minute: what lasts, and the highest peak when it is flattened. */
export function loadOf(offered: readonly number[], { herdToleranceSeconds }: Yardstick) {
  const window = Math.round(herdToleranceSeconds / 60);
  const means = offered.map((_, minute) => meanAt(offered, minute - intervalMinutes / 2, intervalMinutes));
  const flattened = offered.map((_, minute) => meanAt(offered, minute, window));
  const peaks = offered.map((_, minute) =>
    Math.max(
      0,
      ...flattened.slice(Math.max(0, minute - window - intervalMinutes / 2), minute + intervalMinutes / 2),
    ),
  );
  return { means, peaks };
}

export function serversThat(minutes: readonly Minute[], yardstick: Yardstick) {
  const { min, target, workers } = yardstick;
  const { means, peaks } = loadOf(
    minutes.map(({ offered }) => offered / 60),
    yardstick,
  );
  const ideal = means.map((mean, minute) =>
    Math.max(min, Math.ceil(Math.max(mean / target, (peaks[minute] ?? 0) / plannedShare) / workers)),
  );
  const isSteady = (minute: number) =>
    minute >= unsteadyMinutes &&
    yardstick.eventsMs.every(
      (event) =>
        minute < event / 60_000 - intervalMinutes / 2 - 1 || minute >= event / 60_000 + unsteadyMinutes,
    );
  const steady = minutes.flatMap((each, minute) => (isSteady(minute) ? [{ ...each, minute }] : []));
  const inBand = steady.filter(({ capacity, minute }) => {
    const share = Math.max(means[minute] ?? 0, peaks[minute] ?? 0) / Math.max(1, capacity);
    // The least that is allowed may be more than is needed.
    return (share >= 0.4 || capacity <= min * workers) && share <= 0.85;
  });
  const hours = new Map<number, number>();
  for (const { actions, minute } of steady) {
    const hour = Math.floor(minute / 60);
    hours.set(hour, (hours.get(hour) ?? 0) + actions);
  }
  return {
    idealServerHours: ideal.reduce((sum, servers) => sum + servers / 60, 0),
    shareInBand: steady.length === 0 ? 1 : inBand.length / steady.length,
    mostActionsInSteadyHour: Math.max(0, ...hours.values()),
  };
}

function meanAt(values: readonly number[], from: number, length: number): number {
  const part = values.slice(Math.max(0, from), Math.max(0, from + length));
  return part.length === 0 ? 0 : part.reduce((sum, value) => sum + value, 0) / part.length;
}

/** The bounds that an outcome breaks, with the figure. */
export function brokenBounds(outcome: Outcome, toleranceSeconds: number): readonly string[] {
  const { longestWaitSeconds, serverHours } = outcome;
  const most = 1.3 * outcome.idealServerHours;
  const findings: string[] = [];
  if (longestWaitSeconds > toleranceSeconds && !outcome.hasReachedMax)
    findings.push(
      `the latest run waited ${Math.round(longestWaitSeconds)} s, more than ${toleranceSeconds} s`,
    );
  if (outcome.mostActionsInSteadyHour > 4)
    findings.push(`${outcome.mostActionsInSteadyHour} actions in a steady hour, more than 4`);
  if (outcome.shareInBand < 0.95)
    findings.push(
      `${Math.round(outcome.shareInBand * 100)} % of steady time within 0.4 to 0.85 of the capacity, less than 95 %`,
    );
  if (serverHours > most)
    findings.push(`${serverHours.toFixed(1)} server-hours, more than ${most.toFixed(1)}`);
  return findings;
}
