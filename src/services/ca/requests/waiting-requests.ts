/** Certificate requests that wait: whose they are, and a second look at them. */

import { ServiceError } from '../../../lib/service-error.ts';
import type { CertificateRequest } from '../../../platform/x509/index.ts';
import type { AuthorityParts } from '../authority-parts.ts';
import { readRequest } from './read-request.ts';

type Parts = Pick<AuthorityParts, 'directory' | 'register'>;

/** Whether the request that waits under this name is for the same key. */
export async function isWaitingKey(
  { directory }: Pick<AuthorityParts, 'directory'>,
  certname: string,
  { publicKeyInfo }: CertificateRequest,
): Promise<boolean> {
  const waiting = await directory.find('requests', certname);
  return waiting !== undefined && readRequest(waiting.content).publicKeyInfo.equals(publicKeyInfo);
}

/** Calls `decide` for each request that waits, one after the other; what may not be signed stays. */
export async function decideAgain(
  { directory, register }: Parts,
  decide: (certname: string, request: CertificateRequest) => Promise<unknown>,
  stopping?: AbortSignal,
): Promise<void> {
  for (const certname of await directory.list('requests')) {
    if (stopping?.aborted === true) return;
    const waiting = await directory.find('requests', certname);
    if (waiting === undefined || (await register.findState(certname)) !== 'requested') continue;
    try {
      await decide(certname, readRequest(waiting.content));
    } catch (error) {
      // The log says why.
      if (!(error instanceof ServiceError)) throw error;
    }
  }
}
