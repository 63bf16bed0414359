/** How many servers there should be, before anything slows the way there down. */

import type { Demand } from '../number/demand.ts';

export interface Limits {
  readonly min: number;
  readonly max: number;
  /** Servers more than lasting load needs, in case one is lost. */
  readonly spare: number;
}

/** A capacity that is this close to the need is right. */
const tolerance = 0.1;
/** The share of the remaining workers that lasting load may use after the loss of a server. */
const fullShare = 0.9;

/**
 * @param servers - that serve or are on their way
 * @param workersPerServer - of a server that would be added or removed
 */
export function wantedServers(
  { need, work }: Pick<Demand, 'need' | 'work'>,
  servers: number,
  workersPerServer: number,
  limits: Limits,
): number {
  const least = Math.ceil(work / (fullShare * workersPerServer)) + limits.spare;
  const isRight = need > 0 && Math.abs((servers * workersPerServer) / need - 1) <= tolerance;
  const forNeed = isRight ? servers : Math.ceil(need / workersPerServer);
  return Math.min(limits.max, Math.max(limits.min, forNeed, least));
}
