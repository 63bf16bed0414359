/** Auto Scaling groups, by AWS's client, which is loaded when the first question is asked: it is a megabyte. */

import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { ServiceError } from '../../lib/service-error.ts';

/** An instance of a group. */
export interface GroupInstance {
  readonly instanceId: string;
  readonly group: string;
  /** `InService`, `Pending:Wait`, `Terminating:Wait`, `Warmed:Stopped`, ... */
  readonly lifecycleState: string;
}

/** An instance that waits in a lifecycle hook. */
export interface HookedInstance {
  readonly group: string;
  readonly hook: string;
  readonly instanceId: string;
}

export interface AutoScalingOptions {
  /** Asked once, before the first question. */
  readonly region: () => Promise<string>;
  /** How often a question is repeated while AWS throttles or fails; the pauses grow, and differ by chance. */
  readonly maxAttempts?: number;
  /** Until one attempt is given up. */
  readonly requestTimeoutMs?: number;
}

/** More than these are never asked for in one question. */
const mostIds = 50;

export class AutoScaling {
  private readonly options: AutoScalingOptions;
  private opening: Promise<AutoScalingClient> | undefined;

  constructor(options: AutoScalingOptions) {
    this.options = options;
  }

  /** All instances of a group. @throws ServiceError `unavailable` when AWS does not answer, or throttles for long */
  async instancesOf(group: string): Promise<readonly GroupInstance[]> {
    return (await this.describe({})).filter((instance) => instance.group === group);
  }

  /** @returns `undefined` for one that is in no group. @throws ServiceError `unavailable` */
  async find(instanceId: string): Promise<GroupInstance | undefined> {
    const found = await this.describe({ InstanceIds: [instanceId] });
    return found.find((instance) => instance.instanceId === instanceId);
  }

  /**
   * Lets an instance go on from where it waits.
   *
   * @param result - `CONTINUE`, or `ABANDON` to end one that starts
   * @returns false when it does not wait there: somebody else was faster, or it is gone
   */
  complete({ group, hook, instanceId }: HookedInstance, result: 'CONTINUE' | 'ABANDON'): Promise<boolean> {
    return this.change(async (client, { CompleteLifecycleActionCommand }) => {
      const input = {
        AutoScalingGroupName: group,
        LifecycleHookName: hook,
        InstanceId: instanceId,
        LifecycleActionResult: result,
      };
      await client.send(new CompleteLifecycleActionCommand(input));
    });
  }

  /** Lets it wait for another timeout of the hook. @returns false when it does not wait there */
  heartbeat({ group, hook, instanceId }: HookedInstance): Promise<boolean> {
    return this.change(async (client, { RecordLifecycleActionHeartbeatCommand }) => {
      const input = { AutoScalingGroupName: group, LifecycleHookName: hook, InstanceId: instanceId };
      await client.send(new RecordLifecycleActionHeartbeatCommand(input));
    });
  }

  /** Ends an instance; the group launches another one if it wants as many. @returns false when it is gone, or going */
  terminate(instanceId: string): Promise<boolean> {
    return this.change(async (client, { TerminateInstanceInAutoScalingGroupCommand }) => {
      const input = { InstanceId: instanceId, ShouldDecrementDesiredCapacity: false };
      await client.send(new TerminateInstanceInAutoScalingGroupCommand(input));
    });
  }

  async close(): Promise<void> {
    const { opening } = this;
    this.opening = undefined;
    (await opening?.catch(() => undefined))?.destroy();
  }

  private async describe(filter: { readonly InstanceIds?: string[] }): Promise<readonly GroupInstance[]> {
    const { paginateDescribeAutoScalingInstances } = await load();
    try {
      const client = await this.client();
      const found: GroupInstance[] = [];
      for await (const page of paginateDescribeAutoScalingInstances({ client, pageSize: mostIds }, filter))
        for (const one of page.AutoScalingInstances ?? [])
          found.push({
            instanceId: one.InstanceId ?? '',
            group: one.AutoScalingGroupName ?? '',
            lifecycleState: one.LifecycleState ?? '',
          });
      return found;
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  private async change(
    work: (client: AutoScalingClient, commands: Awaited<ReturnType<typeof load>>) => Promise<void>,
  ): Promise<boolean> {
    try {
      await work(await this.client(), await load());
      return true;
    } catch (error) {
      // What it was asked for is done already, perhaps by an earlier attempt whose answer was lost.
      if (
        error instanceof Error &&
        ['ValidationError', 'ScalingActivityInProgressFault'].includes(error.name)
      )
        return false;
      throw asUnavailable(error);
    }
  }

  private client(): Promise<AutoScalingClient> {
    this.opening ??= this.open();
    return this.opening;
  }

  private async open(): Promise<AutoScalingClient> {
    const { maxAttempts = 6, region, requestTimeoutMs = 10_000 } = this.options;
    try {
      const { AutoScalingClient: Client } = await load();
      return new Client({
        region: await region(),
        maxAttempts,
        requestHandler: {
          requestTimeout: requestTimeoutMs,
          connectionTimeout: 5000,
          throwOnRequestTimeout: true,
        },
      });
    } catch (error) {
      this.opening = undefined;
      throw error;
    }
  }
}

function load() {
  return import('@aws-sdk/client-auto-scaling');
}

/** With AWS's own name of the failure: `Throttling`, `AccessDenied`. */
function asUnavailable(error: unknown): unknown {
  if (error instanceof ServiceError || !(error instanceof Error)) return error;
  return new ServiceError('unavailable', `AWS Auto Scaling: ${error.name}: ${error.message}`, {
    cause: error,
    details: { retryAfterSeconds: 10 },
  });
}
