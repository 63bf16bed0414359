/** The seam between proofs of identity and the platforms that vouch for them. */

import { ServiceError } from '../../lib/service-error.ts';

/** What every proof has to be made for. */
export interface ProofContext {
  /** SHA-256 of the CA's first certificate, lower-case hexadecimal. */
  readonly caFingerprint: string;
  /** SHA-256 of the public key that the certificate is for, lower-case hexadecimal. */
  readonly keyDigest: string;
  readonly now: Date;
  readonly signal: AbortSignal;
}

/** Who has made a proof. */
export interface ProvenIdentity {
  /** As rules name it. */
  readonly provider: string;
  /** The same for every proof of one machine or pod, by whatever provider: `aws/123456789012/i-0a1b2c3d`. */
  readonly instance: string;
  /** The first part of its certname. */
  readonly name: string;
  /** Whether the proof names the key, so that only the owner of the key can use it. */
  readonly isKeyBound: boolean;
  /** What rules look at. */
  readonly attributes: Readonly<Record<string, string>>;
}

export interface IdentityProvider {
  /**
   * @param proof - as it was sent
   * @throws ServiceError `bad-request` for what is no proof, `forbidden` saying why a proof does not count, `unavailable` when
   *   the platform does not answer
   */
  verify(proof: unknown, context: ProofContext): Promise<ProvenIdentity>;
}

/** A proof that does not count. @param reason - with the value or the difference that is wrong, without secrets */
export function refusedProof(reason: string): ServiceError {
  return new ServiceError('forbidden', `The proof of identity does not count: ${reason}`, {
    kind: refusedKind,
  });
}

export const refusedKind = 'infrastructure/identity';

/** `3 min ahead of`: how far a time is from now, for a refusal. */
export function renderSkew(fromNowMs: number): string {
  const seconds = Math.round(Math.abs(fromNowMs) / 1000);
  const amount = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  return fromNowMs > 0 ? `${amount} ahead of` : `${amount} behind`;
}
