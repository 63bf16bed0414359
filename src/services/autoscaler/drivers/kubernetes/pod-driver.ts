/**
 * Pods of a Kubernetes cluster, which a Deployment launches and ends by itself: the Horizontal Pod Autoscaler takes the number, and the
 * primary watches which pods are being deleted.
 *
 * @see "Pod v1 core" in the Kubernetes API reference
 */

import { asDriverError, type Driver, DriverError, type Instance } from '../driver.ts';
import { listPods, type Pod, type PodSource, podPath } from './pod.ts';
import { PodWatch } from './pod-watch.ts';

/** From the order of the autoscaler to a pod that serves, before any launch has been measured. */
const assumedLeadMs = 90_000;

export function podDriver(source: PodSource): Driver {
  const { cluster } = source;
  const watch = new PodWatch(source);
  return {
    name: 'kubernetes',
    countedBy: 'platform',
    assumedLeadMs,
    launch: (orders) =>
      Promise.resolve(orders.map(() => new DriverError('The Deployment launches pods by itself', 'never'))),
    async end(uid) {
      const { pods } = await listPods(source);
      const pod = pods.find(({ metadata }) => metadata.uid === uid);
      if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return;
      try {
        // Its name may be another pod's by now.
        await cluster.delete(podPath(source, pod.metadata.name), {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          preconditions: { uid },
        });
      } catch (error) {
        throw asDriverError(error);
      }
    },
    inventory: async () => (await watch.list()).flatMap((pod) => described(pod) ?? []),
    async close() {
      await watch.stop();
      cluster.close();
    },
  };
}

/** A pod that has ended is no more: its name does not come back. */
function described({ metadata, status }: Pod): Instance | undefined {
  const { deletionTimestamp, name, uid } = metadata;
  if (status.phase === 'Succeeded' || status.phase === 'Failed') return undefined;
  const state =
    deletionTimestamp !== undefined ? 'ending' : status.phase === 'Running' ? 'running' : 'pending';
  return { id: uid, state, certname: name };
}
