/**
 * What AWS wants of the instance on which this server runs: it waits in the group's lifecycle hooks until the server serves, and until
 * it has left.
 *
 * @see "Retrieve the target lifecycle state through instance metadata" in AWS's Auto Scaling user guide, and "Spot Instance interruption notices"
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../../lib/service-error.ts';
import type { AutoScaling, InstanceMetadata } from '../../../platform/aws/index.ts';
import type { Logger } from '../../../platform/log/index.ts';

export interface InstanceWatchOptions {
  readonly metadata: Pick<InstanceMetadata, 'find' | 'get'>;
  readonly groups: Pick<AutoScaling, 'find' | 'complete' | 'heartbeat'>;
  readonly launchHook: string;
  readonly terminateHook: string;
  /** Whether this server answers agents. */
  readonly isServing: () => boolean;
  /** Asks the primary to let this server leave; resolves when it is accepted. @throws when it is not reached */
  readonly leave: (signal: AbortSignal) => Promise<void>;
  readonly log: Logger;
  readonly pollMs?: number;
  readonly heartbeatMs?: number;
}

/** AWS asks programs to look every five seconds. */
const usualPollMs = 5000;
const usualHeartbeatMs = 60_000;

export class InstanceWatch {
  private readonly options: InstanceWatchOptions;
  private readonly stopping = new AbortController();
  private instance: { readonly instanceId: string; readonly group: string } | undefined;
  private watching: Promise<void> | undefined;
  private isEnding = false;
  private isInService = false;
  private lastHeartbeatMs: number | undefined;
  private lastProblem: string | undefined;

  constructor(options: InstanceWatchOptions) {
    this.options = options;
  }

  /** Why this server should get no more agents, in words. */
  get obstacle(): string | undefined {
    return this.isEnding ? 'another instance: AWS ends this one' : undefined;
  }

  start(): void {
    this.watching ??= this.watch();
  }

  /** @param hasLeft - the primary has nothing to do with this server any more, so that its instance may go */
  async stop(hasLeft: boolean): Promise<void> {
    this.stopping.abort();
    await this.watching;
    if (!this.isEnding || !hasLeft) return;
    const { log, terminateHook } = this.options;
    await this.quietly('let this instance end', async () => {
      const isCompleted = await this.complete(terminateHook);
      log.info({ isCompleted }, 'this instance may end');
    });
  }

  private async watch(): Promise<void> {
    const { pollMs = usualPollMs } = this.options;
    while (!this.stopping.signal.aborted) {
      await this.quietly('look what AWS wants of this instance', () => this.look());
      await sleep(pollMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  private async look(): Promise<void> {
    const { leave, log, metadata } = this.options;
    const { signal } = this.stopping;
    const target = await metadata.find('meta-data/autoscaling/target-lifecycle-state', signal);
    const notice = await metadata.find('meta-data/spot/instance-action', signal);
    // With reuse, a group sends instances back to its warm pool instead of ending them.
    if (target === 'Terminated' || target?.startsWith('Warmed:') === true || notice !== undefined) {
      if (!this.isEnding) log.info({ target, notice }, 'AWS ends this instance: leaving');
      this.isEnding = true;
      await leave(signal);
      return;
    }
    if (!this.isInService) await this.comeIntoService();
  }

  /** Once this server serves, the group counts it; until then the hook waits for it. */
  private async comeIntoService(): Promise<void> {
    const { heartbeatMs = usualHeartbeatMs, isServing, launchHook, log } = this.options;
    if (isServing()) {
      const isCompleted = await this.complete(launchHook);
      this.isInService = true;
      if (isCompleted) log.info({}, 'this instance is in service');
      return;
    }
    const nowMs = performance.now();
    this.lastHeartbeatMs ??= nowMs;
    if (nowMs - this.lastHeartbeatMs < heartbeatMs) return;
    this.lastHeartbeatMs = nowMs;
    await this.options.groups.heartbeat({ ...(await this.own()), hook: launchHook });
  }

  /** The name of the group. @throws when this instance is in none, or AWS does not say */
  async group(): Promise<string> {
    return (await this.own()).group;
  }

  private async complete(hook: string): Promise<boolean> {
    return this.options.groups.complete({ ...(await this.own()), hook }, 'CONTINUE');
  }

  private async own() {
    if (this.instance !== undefined) return this.instance;
    const { groups, metadata } = this.options;
    const instanceId = await metadata.get('meta-data/instance-id');
    const found = await groups.find(instanceId);
    if (found === undefined) throw new Error(`${instanceId} is in no Auto Scaling group`);
    this.instance = { instanceId, group: found.group };
    return this.instance;
  }

  /** AWS and the primary may be away; a server goes on without them. A problem is told once. */
  private async quietly(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.lastProblem = undefined;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (message !== this.lastProblem && !this.stopping.signal.aborted)
        this.options.log.warn({ reason: message }, `could not ${what}`);
      this.lastProblem = message;
    }
  }
}

/**
 * Resolves when the group calls this instance out of its warm pool; at once outside of one, and where AWS does not say. Its server
 * does not join before.
 *
 * @throws when `signal` is aborted
 */
export async function calledFromWarmPool(
  metadata: Pick<InstanceMetadata, 'find'>,
  log: Logger,
  signal: AbortSignal,
  pollMs = usualPollMs,
): Promise<void> {
  let hasWaited = false;
  for (;;) {
    const target = await targetOf(metadata, log, signal);
    if (target?.startsWith('Warmed:') !== true) break;
    if (!hasWaited) log.info({ target }, 'waiting in the warm pool of the group');
    hasWaited = true;
    await sleep(pollMs, undefined, { signal });
  }
}

async function targetOf(
  metadata: Pick<InstanceMetadata, 'find'>,
  log: Logger,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return await metadata.find('meta-data/autoscaling/target-lifecycle-state', signal);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    log.warn({ reason: error.message }, 'could not ask whether this instance is in a warm pool');
    return undefined;
  }
}
