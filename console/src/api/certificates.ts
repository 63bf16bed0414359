/** The certificate authority: requests, certificates, and what is decided about them. */

import type { CertificateStatusAnswer } from '../../../src/services/ca/answers/wire.ts';
import { get, put, remove } from './client.ts';

/** A certificate, or a request for one. */
export type CertificateRow = CertificateStatusAnswer;
export type CertificateState = CertificateRow['state'];

const root = '/puppet-ca/v1';

export interface CertificatePage {
  readonly state: CertificateState;
  readonly q: string;
  readonly limit: number;
  /** The last name of the page before. */
  readonly after: string | undefined;
}

/** In the order of their names. */
export async function readCertificates(
  { after, limit, q, state }: CertificatePage,
  signal: AbortSignal,
): Promise<readonly CertificateRow[]> {
  const search = q === '' ? undefined : q;
  return await get(
    `${root}/certificate_statuses/any`,
    { state, q: search, limit, after, with: 'origin' },
    signal,
  );
}

/**
 * Signs the request that was shown, and no other.
 *
 * @param isSpecial - alternative names and authorization extensions are wanted
 * @throws ApiError 409 when another request of this name has come in the meantime
 */
export async function acceptRequest(
  { fingerprint, name }: CertificateRow,
  isSpecial: boolean,
): Promise<void> {
  await put(statusPath(name), {
    desired_state: 'signed',
    fingerprint,
    ...(isSpecial ? { allow_subject_alt_names: true, allow_authorization_extensions: true } : {}),
  });
}

export async function rejectRequest(name: string): Promise<void> {
  await remove(statusPath(name));
}

export async function revokeCertificate(name: string): Promise<void> {
  await put(statusPath(name), { desired_state: 'revoked' });
}

/** Revokes it and forgets its files, so that a node of the name can ask anew. */
export async function cleanCertificate(name: string): Promise<void> {
  await put(`${root}/clean`, { certnames: [name] });
}

function statusPath(name: string): string {
  return `${root}/certificate_status/${encodeURIComponent(name)}`;
}
