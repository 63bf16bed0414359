/** Pods as the API of a cluster has them, of which the driver looks at a little. */

import { z } from 'zod';
import { checkShape } from '../../../../lib/check-shape.ts';
import type { ClusterApi } from '../../../../platform/kubernetes/index.ts';
import { asDriverError, DriverError } from '../driver.ts';

/** Which pods. */
export interface PodSource {
  readonly cluster: Pick<ClusterApi, 'get' | 'watch' | 'delete' | 'namespace' | 'close'>;
  /** Labels of the pods: `app.kubernetes.io/name=bunraku-compile-server`. */
  readonly selector: string;
}

export const PodWire = z.object({
  metadata: z.object({
    name: z.string(),
    uid: z.string(),
    deletionTimestamp: z.string().optional(),
    resourceVersion: z.string().default(''),
  }),
  status: z.object({ phase: z.string().default('') }).default({ phase: '' }),
});

export type Pod = z.infer<typeof PodWire>;

const PodsWire = z.object({
  metadata: z
    .object({ continue: z.string().optional(), resourceVersion: z.string().default('') })
    .default({ resourceVersion: '' }),
  items: z.array(PodWire),
});

const pageSize = 500;

/** @returns all pods, and the version of the cluster that they are of. @throws DriverError */
export async function listPods(
  source: PodSource,
  signal?: AbortSignal,
): Promise<{ readonly pods: readonly Pod[]; readonly version: string }> {
  const pods: Pod[] = [];
  let [next, version] = ['', ''];
  do {
    const more = next === '' ? '' : `&continue=${encodeURIComponent(next)}`;
    const { items, metadata } = await askFor(source, `${podsPath(source)}&limit=${pageSize}${more}`, signal);
    pods.push(...items);
    next = metadata.continue ?? '';
    version = metadata.resourceVersion;
  } while (next !== '');
  return { pods, version };
}

/** The path of their list, with a query. */
export function podsPath({ cluster, selector }: PodSource): string {
  return `${namespacePath(cluster)}?labelSelector=${encodeURIComponent(selector)}`;
}

export function podPath({ cluster }: PodSource, name: string): string {
  return `${namespacePath(cluster)}/${encodeURIComponent(name)}`;
}

function namespacePath({ namespace }: PodSource['cluster']): string {
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`;
}

async function askFor(
  { cluster }: PodSource,
  path: string,
  signal: AbortSignal | undefined,
): Promise<z.infer<typeof PodsWire>> {
  try {
    const parsed = checkShape(PodsWire, await cluster.get(path, signal));
    if (parsed.success) return parsed.data;
  } catch (error) {
    throw asDriverError(error);
  }
  throw new DriverError('The Kubernetes API gives a list of pods in another form', 'soon');
}
