/** The shapes of proofs as they cross the network. */

import { z } from 'zod';
import { firstMistake, JsonBodies } from '../../lib/json-body.ts';
import { ServiceError } from '../../lib/service-error.ts';

const Digest = z.string().regex(/^[0-9a-f]{64}$/, 'is no SHA-256 in lower-case hexadecimal');

/** What a server sends: what it wants to be called, its key, the CA that it trusts, and a proof in the form of its provider. */
export const IdentityWire = z.strictObject({
  provider: z.string().max(40),
  certname: z.string().min(1).max(250),
  key_digest: Digest,
  ca_fingerprint: Digest,
  proof: z.record(z.string(), z.unknown()),
});

export type IdentityClaim = z.infer<typeof IdentityWire>;

/** What it is answered. */
export const GrantWire = z.object({
  /** For `challengePassword` of the certificate request. */
  token: z.string(),
  expires_at: z.string(),
});

/** Parts of a request to the Security Token Service, from which the primary makes the whole. */
export const StsProofWire = z.strictObject({
  host: z.string().max(100),
  /** `Authorization` as signed. */
  authorization: z.string().max(1000),
  /** `X-Amz-Date`. */
  date: z.string().max(20),
  /** `X-Amz-Security-Token`; absent for keys that last. */
  security_token: z.string().max(8000).optional(),
});

export const DocumentProofWire = z.strictObject({
  /** Base64 of PKCS #7, as the metadata service has it. */
  pkcs7: z.string().max(10_000),
});

export const TokenProofWire = z.strictObject({ token: z.string().max(10_000) });

const bodies = new JsonBodies({
  notJson: (_text, cause) => new ServiceError('bad-request', 'The body is not valid JSON', { cause }),
  misshapen: (problem) => new ServiceError('bad-request', `Invalid body: ${firstMistake(problem)}`),
});

/** @throws ServiceError `bad-request` naming the field */
export function decodeBody<T extends z.ZodType>(shape: T, body: Buffer): z.infer<T> {
  return bodies.decode(shape, body);
}

/** @throws ServiceError `bad-request` naming the field, without its value */
export function decodeProof<T extends z.ZodType>(shape: T, proof: unknown): z.infer<T> {
  return bodies.check(shape, proof);
}
