/** The side of a server that joins: it proves who it is. */

import type { JsonObject } from '../../../lib/json.ts';

/** What a proof is for. */
export interface Bonds {
  /** SHA-256 of the CA's first certificate, lower-case hexadecimal. */
  readonly caFingerprint: string;
  /** SHA-256 of the public key, lower-case hexadecimal. */
  readonly keyDigest: string;
}

export interface ProofMaker {
  /** As rules of the primary name it. */
  readonly provider: string;
  /** What its certname has to begin with. @throws ServiceError `unavailable` when the platform does not say */
  name(signal: AbortSignal): Promise<string>;
  /** @throws ServiceError `unavailable` when the platform does not say */
  make(bonds: Bonds, signal: AbortSignal): Promise<JsonObject>;
}
