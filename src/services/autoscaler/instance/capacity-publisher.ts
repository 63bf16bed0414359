/** Tells CloudWatch how much is used, from every server: the group goes on scaling while the primary is away. */

import type { CloudWatch } from '../../../platform/aws/index.ts';

export interface CapacityPublisherOptions {
  readonly watch: Pick<CloudWatch, 'put'>;
  /** The group of this instance. @throws when it is in none */
  readonly group: () => Promise<string>;
  /** The share of this server that is used; 1 is all of it. */
  readonly ownUsed: () => number;
  readonly now: () => Date;
  readonly nowMs: () => number;
}

const capacityMetric = { namespace: 'Bunraku', name: 'CapacityUsed' } as const;
/** What was told before is not known any more. */
const longestAgeMs = 90_000;

export class CapacityPublisher {
  private readonly options: CapacityPublisherOptions;
  private told: { readonly percent: number; readonly atMs: number } | undefined;

  constructor(options: CapacityPublisherOptions) {
    this.options = options;
  }

  /** The primary says what is used of all servers. */
  note(percent: number): void {
    this.told = { percent, atMs: this.options.nowMs() };
  }

  /** To be called each minute. @throws ServiceError `unavailable` when AWS does not take it */
  async publish(): Promise<void> {
    const { group, now, nowMs, ownUsed, watch } = this.options;
    const { told } = this;
    const isKnown = told !== undefined && nowMs() - told.atMs <= longestAgeMs;
    const value = Math.max(ownUsed() * 100, isKnown ? told.percent : 0);
    if (!Number.isFinite(value)) return;
    const dimensions = { AutoScalingGroupName: await group() };
    await watch.put({ ...capacityMetric, dimensions, unit: 'Percent', value, time: now() });
  }
}
