/**
 * Pods of a Kubernetes cluster, which a Deployment launches and ends by itself: the Horizontal Pod Autoscaler takes the number, and the
 * primary sees which pods are being deleted.
 *
 * @see "Pod v1 core" in the Kubernetes API reference
 */

import { z } from 'zod';
import { checkShape } from '../../../../lib/check-shape.ts';
import type { ClusterApi } from '../../../../platform/kubernetes/index.ts';
import { asDriverError, type Driver, DriverError, type Instance } from '../driver.ts';

export interface PodDriverOptions {
  readonly cluster: Pick<ClusterApi, 'get' | 'delete' | 'namespace' | 'close'>;
  /** Labels of the pods: `app.kubernetes.io/name=bunraku-compile-server`. */
  readonly selector: string;
}

const PodsWire = z.object({
  metadata: z.object({ continue: z.string().optional() }).default({}),
  items: z.array(
    z.object({
      metadata: z.object({ name: z.string(), uid: z.string(), deletionTimestamp: z.string().optional() }),
      status: z.object({ phase: z.string().default('') }).default({ phase: '' }),
    }),
  ),
});

type Pod = z.infer<typeof PodsWire>['items'][number];

/** From the order of the autoscaler to a pod that serves, before any launch has been measured. */
const assumedLeadMs = 90_000;
const pageSize = 500;

export function podDriver(options: PodDriverOptions): Driver {
  const { cluster } = options;
  return {
    name: 'kubernetes',
    countedBy: 'platform',
    assumedLeadMs,
    launch: (orders) =>
      Promise.resolve(orders.map(() => new DriverError('The Deployment launches pods by itself', 'never'))),
    async end(uid) {
      const pod = (await podsOf(options)).find(({ metadata }) => metadata.uid === uid);
      if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return;
      try {
        // Its name may be another pod's by now.
        await cluster.delete(`${pathOf(cluster)}/${encodeURIComponent(pod.metadata.name)}`, {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          preconditions: { uid },
        });
      } catch (error) {
        throw asDriverError(error);
      }
    },
    inventory: async () => (await podsOf(options)).flatMap((pod) => described(pod) ?? []),
    close: () => Promise.resolve(cluster.close()),
  };
}

/** @throws DriverError */
async function podsOf({ cluster, selector }: PodDriverOptions): Promise<readonly Pod[]> {
  const pods: Pod[] = [];
  let next = '';
  do {
    const query = new URLSearchParams({
      labelSelector: selector,
      limit: String(pageSize),
      ...(next === '' ? {} : { continue: next }),
    });
    const page = await askFor(cluster, `${pathOf(cluster)}?${query}`);
    pods.push(...page.items);
    next = page.metadata.continue ?? '';
  } while (next !== '');
  return pods;
}

async function askFor(cluster: PodDriverOptions['cluster'], path: string): Promise<z.infer<typeof PodsWire>> {
  try {
    const parsed = checkShape(PodsWire, await cluster.get(path));
    if (parsed.success) return parsed.data;
  } catch (error) {
    throw asDriverError(error);
  }
  throw new DriverError('The Kubernetes API gives a list of pods in another form', 'soon');
}

function pathOf({ namespace }: PodDriverOptions['cluster']): string {
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`;
}

/** A pod that has ended is no more: its name does not come back. */
function described({ metadata, status }: Pod): Instance | undefined {
  const { deletionTimestamp, name, uid } = metadata;
  if (status.phase === 'Succeeded' || status.phase === 'Failed') return undefined;
  const state =
    deletionTimestamp !== undefined ? 'ending' : status.phase === 'Running' ? 'running' : 'pending';
  return { id: uid, state, certname: name };
}
