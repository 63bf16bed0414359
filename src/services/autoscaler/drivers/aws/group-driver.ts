/**
 * An Auto Scaling group of AWS, which launches and ends instances by itself: the primary tells it the number, and lets instances go
 * when their servers have left.
 *
 * @see "Amazon EC2 Auto Scaling lifecycle hooks" in AWS's user guide
 */

import type { AutoScaling, GroupInstance } from '../../../../platform/aws/index.ts';
import { asDriverError, type Driver, DriverError, type Instance, type InstanceState } from '../driver.ts';

export interface GroupDriverOptions {
  readonly groups: Pick<AutoScaling, 'instancesOf' | 'find' | 'complete' | 'terminate' | 'close'>;
  /** The name of the group. */
  readonly group: string;
  readonly launchHook: string;
  readonly terminateHook: string;
  /** The name that an instance has proved itself for; `undefined` before it has. */
  readonly certnameOf: (instanceId: string) => Promise<string | undefined>;
}

/** From the order of the group to an instance that serves, before any launch has been measured. */
const assumedLeadMs = 180_000;
/** AWS limits how often it is asked. */
const inventoryIntervalMs = 60_000;

export function groupDriver(options: GroupDriverOptions): Driver {
  const { certnameOf, group, groups } = options;
  return {
    name: 'aws',
    countedBy: 'platform',
    assumedLeadMs,
    inventoryIntervalMs,
    launch: (orders) =>
      Promise.resolve(
        orders.map(
          () => new DriverError(`The group ${group} launches by itself, by the metric CapacityUsed`, 'never'),
        ),
      ),
    async end(instanceId) {
      try {
        await letGo(options, instanceId);
      } catch (error) {
        throw asDriverError(error);
      }
    },
    async inventory() {
      try {
        const present = (await groups.instancesOf(group)).filter(isPresent);
        return await Promise.all(present.map((one) => described(one, certnameOf)));
      } catch (error) {
        throw asDriverError(error);
      }
    },
    close: () => groups.close(),
  };
}

/** By the state in which it is: each step has no effect when it is repeated. */
async function letGo({ group, groups, launchHook, terminateHook }: GroupDriverOptions, instanceId: string) {
  const instance = await groups.find(instanceId);
  if (instance === undefined || instance.group !== group) return;
  const { lifecycleState } = instance;
  if (lifecycleState === 'Terminating:Wait')
    await groups.complete({ group, hook: terminateHook, instanceId }, 'CONTINUE');
  else if (lifecycleState === 'Pending:Wait')
    await groups.complete({ group, hook: launchHook, instanceId }, 'ABANDON');
  else if (!isGoing(lifecycleState)) await groups.terminate(instanceId);
}

function isGoing(lifecycleState: string): boolean {
  return /^(Terminating|Terminated|Detach)/.test(lifecycleState);
}

/** Instances in a warm pool are none of ours until the group calls them. */
function isPresent({ lifecycleState }: GroupInstance): boolean {
  return !/^(Terminated|Detach|Warmed:)/.test(lifecycleState);
}

async function described(
  { instanceId, lifecycleState }: GroupInstance,
  certnameOf: GroupDriverOptions['certnameOf'],
): Promise<Instance> {
  const certname = await certnameOf(instanceId);
  return { id: instanceId, state: stateOf(lifecycleState), ...(certname === undefined ? {} : { certname }) };
}

function stateOf(lifecycleState: string): InstanceState {
  if (lifecycleState.startsWith('Pending')) return 'pending';
  return lifecycleState.startsWith('Terminating') ? 'ending' : 'running';
}
