/** The number: how many workers the fleet needs, and how much of the serving capacity is used. */

import { usedShare } from '../measure/work-meter.ts';
import type { Plan } from './plan.ts';

/** A compile server that serves, as it is measured. */
export interface MeasuredServer {
  readonly workers: number;
  /** Worker-seconds that arrive per second. */
  readonly work: number;
  /** Of its main thread, 0 to 1. */
  readonly eventLoop: number;
}

/** The load of all servers together. */
export interface FleetLoad {
  /** Worker-seconds that arrive per second. Chance plays a smaller part in it than in the sum of what each server measured. */
  readonly work: number;
  /** Worker-seconds of nodes that were told to retry later. */
  readonly backlogSeconds: number;
}

export interface DemandOptions {
  /** The share of the capacity that steady load is to use. */
  readonly target: number;
  readonly herdToleranceSeconds: number;
}

export interface Demand {
  /** Workers that steady load keeps busy (D). */
  readonly work: number;
  /** Workers that clear the backlog within the tolerance (B). */
  readonly backlog: number;
  /** Workers that the planned peak keeps busy (P). */
  readonly planned: number;
  readonly isPlanTrusted: boolean;
  /** Workers of the servers that serve (C). */
  readonly capacity: number;
  /** Workers that there should be. */
  readonly need: number;
  /** The target when there are as many workers as needed; more when there are too few. */
  readonly capacityUsed: number;
  /** `capacityUsed` times `capacity`: for platforms that divide themselves. */
  readonly demandWorkers: number;
}

/** The share of the capacity that clears the backlog: some is lost between appointments. */
const clearingShare = 0.9;
/** A crowd that was planned for may use more than steady load. */
const plannedShare = 0.85;

export function demandOf(
  servers: readonly MeasuredServer[],
  load: FleetLoad,
  plan: Plan,
  { herdToleranceSeconds, target }: DemandOptions,
): Demand {
  const work = Math.max(
    load.work,
    sum(servers.map((server) => usedShare(server.work, server.eventLoop, server.workers) * server.workers)),
  );
  const capacity = sum(servers.map(({ workers }) => workers));
  const backlog = load.backlogSeconds / (clearingShare * herdToleranceSeconds);
  // Without a trusted plan, the last crowd may come again: it adds no servers, but keeps the existing ones.
  const planned = plan.isTrusted
    ? plan.workers / plannedShare
    : Math.min(capacity, plan.recentPeak / plannedShare);
  const need = Math.max(work / target + backlog, planned);
  return {
    work,
    backlog,
    planned: plan.workers,
    isPlanTrusted: plan.isTrusted,
    capacity,
    need,
    demandWorkers: target * need,
    // Without a server everything is missing; platforms take no infinite value.
    capacityUsed: (target * need) / Math.max(capacity, 1),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
