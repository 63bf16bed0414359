/** The Kubernetes cluster whose pods are compile servers, as the primary asks it. */

import { z } from 'zod';
import { checkShape } from '../../lib/check-shape.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { ClusterApi, clusterOfFile, clusterOfPod } from '../../platform/kubernetes/index.ts';
import { processEnvironment, type Settings } from '../../platform/settings/index.ts';
import type { ClusterTerminus } from '../../services/identity/index.ts';

/** @returns `undefined` without one. @throws ServiceError `conflict` naming what is wrong with the kubeconfig */
export async function openCluster({
  kubeconfig,
}: Pick<Settings, 'kubeconfig'>): Promise<ClusterApi | undefined> {
  const access =
    kubeconfig === '' ? await clusterOfPod(processEnvironment()) : await clusterOfFile(kubeconfig);
  return access && new ClusterApi(access);
}

const ReviewWire = z.object({
  status: z.object({
    authenticated: z.boolean().default(false),
    audiences: z.array(z.string()).default([]),
    user: z
      .object({
        username: z.string().default(''),
        extra: z.record(z.string(), z.array(z.string())).default({}),
      })
      .default({ username: '', extra: {} }),
  }),
});

const PodWire = z.object({
  metadata: z.object({ uid: z.string(), deletionTimestamp: z.string().optional() }),
  status: z.object({ phase: z.string().default('') }).default({ phase: '' }),
});

/** What proofs of pods need. */
export function clusterTerminus(api: Pick<ClusterApi, 'get' | 'post'>): ClusterTerminus {
  return {
    async review(token, audience, signal) {
      const answer = await api.post(
        '/apis/authentication.k8s.io/v1/tokenreviews',
        {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenReview',
          spec: { token, audiences: [audience] },
        },
        signal,
      );
      const { audiences, authenticated, user } = understood(ReviewWire, answer).status;
      return { isAuthenticated: authenticated, audiences, username: user.username, extra: user.extra };
    },
    async findPod(namespace, name, signal) {
      const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}`;
      const answer = await api.get(path, signal);
      if (answer === undefined) return undefined;
      const { metadata, status } = understood(PodWire, answer);
      return {
        uid: metadata.uid,
        isBeingDeleted: metadata.deletionTimestamp !== undefined,
        phase: status.phase,
      };
    },
  };
}

function understood<T extends z.ZodType>(shape: T, answer: unknown): z.infer<T> {
  const parsed = checkShape(shape, answer);
  if (parsed.success) return parsed.data;
  throw new ServiceError('bad-gateway', 'The Kubernetes API gives an answer of another form');
}
