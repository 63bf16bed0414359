/**
 * Pods of a Kubernetes cluster: a token of their service account for the audience `bunraku`, which the cluster itself checks. It
 * names no key.
 *
 * @see "TokenReview" in the Kubernetes API reference, and "Configure Service Accounts for Pods" (projected tokens)
 */

import {
  type IdentityProvider,
  type ProofContext,
  type ProvenIdentity,
  refusedProof,
} from '../identity-provider.ts';
import { decodeProof, TokenProofWire } from '../wire.ts';

/** The cluster. */
export interface ClusterTerminus {
  /** Whose a token is. @throws ServiceError `unavailable` when the cluster does not answer */
  review(token: string, audience: string, signal: AbortSignal): Promise<ReviewedToken>;
  /** @returns `undefined` when there is none of that name */
  findPod(namespace: string, name: string, signal: AbortSignal): Promise<PodState | undefined>;
}

export interface ReviewedToken {
  readonly isAuthenticated: boolean;
  /** Audiences that the token and the question have in common. */
  readonly audiences: readonly string[];
  /** `system:serviceaccount:NAMESPACE:NAME` */
  readonly username: string;
  /** By name: `authentication.kubernetes.io/pod-uid`. */
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

export interface PodState {
  readonly uid: string;
  readonly isBeingDeleted: boolean;
  /** `Running`, `Succeeded`. */
  readonly phase: string;
}

export const audience = 'bunraku';

export class TokenProvider implements IdentityProvider {
  private readonly cluster: ClusterTerminus;

  constructor(cluster: ClusterTerminus) {
    this.cluster = cluster;
  }

  async verify(proof: unknown, { signal }: ProofContext): Promise<ProvenIdentity> {
    const { token } = decodeProof(TokenProofWire, proof);
    if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) throw refusedProof('the token is no JSON Web Token');
    const review = await this.cluster.review(token, audience, signal);
    if (!review.isAuthenticated)
      throw refusedProof(`the cluster does not accept the token for the audience ${audience}`);
    if (!review.audiences.includes(audience))
      throw refusedProof(
        `the token is not for the audience ${audience}, but for ${review.audiences.join(', ') || 'none'}`,
      );
    const [, namespace, account] =
      /^system:serviceaccount:([a-z0-9-]+):([a-z0-9.-]+)$/.exec(review.username) ?? [];
    if (namespace === undefined || account === undefined)
      throw refusedProof(`${review.username} is no service account`);
    const { name, uid } = podOf(review);
    await this.checkAlive(namespace, name, uid, signal);
    return {
      provider: 'kubernetes',
      instance: `kubernetes/${uid}`,
      name,
      isKeyBound: false,
      attributes: { namespace, service_account: account },
    };
  }

  private async checkAlive(namespace: string, name: string, uid: string, signal: AbortSignal): Promise<void> {
    const pod = await this.cluster.findPod(namespace, name, signal);
    if (pod === undefined) throw refusedProof(`there is no pod ${namespace}/${name}`);
    if (pod.uid !== uid)
      throw refusedProof(
        `the pod ${namespace}/${name} is another one now: its uid is ${pod.uid}, not ${uid}`,
      );
    if (pod.isBeingDeleted) throw refusedProof(`the pod ${namespace}/${name} is being deleted`);
    if (pod.phase === 'Succeeded' || pod.phase === 'Failed')
      throw refusedProof(`the pod ${namespace}/${name} has ended: ${pod.phase}`);
  }
}

/** Only tokens of pods name one: those that people ask for by themselves are for any place. */
function podOf({ extra }: ReviewedToken): { readonly name: string; readonly uid: string } {
  const [name] = extra['authentication.kubernetes.io/pod-name'] ?? [];
  const [uid] = extra['authentication.kubernetes.io/pod-uid'] ?? [];
  if (name === undefined || uid === undefined) throw refusedProof('the token is not of a pod');
  if (!/^[a-z0-9][a-z0-9.-]{0,252}$/.test(name)) throw refusedProof('the token names an invalid pod name');
  return { name, uid };
}
