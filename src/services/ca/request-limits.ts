/** What the settings, and whoever signs, let requests have. */

import { ServiceError } from '../../lib/service-error.ts';
import type { CaSettings } from './ca-settings.ts';
import type { CertificateRegister } from './certificate-register.ts';
import type { SignOptions } from './orders.ts';
import { refuse } from './refusal.ts';
import type { ContentPolicy } from './request-policy.ts';

/** What the settings allow, and the person who signs. */
export function policyFor(
  settings: ContentPolicy,
  { allowAuthorizationExtensions, allowSubjectAltNames }: SignOptions,
): ContentPolicy {
  return {
    serverRoles: settings.serverRoles,
    allowSubjectAltNames: settings.allowSubjectAltNames || allowSubjectAltNames === true,
    allowAuthorizationExtensions:
      settings.allowAuthorizationExtensions || allowAuthorizationExtensions === true,
  };
}

/** @throws ServiceError `unavailable` when too many requests wait already */
export function checkRoom(
  register: CertificateRegister,
  { maxPendingRequests }: Pick<CaSettings, 'maxPendingRequests'>,
  certname: string,
): void {
  if (register.isPending(certname) || register.pendingCount < maxPendingRequests) return;
  throw new ServiceError(
    'unavailable',
    `${register.pendingCount} certificate requests are waiting already; sign or delete some of them first`,
    { details: { retryAfterSeconds: 600 } },
  );
}

/** @throws ServiceError `bad-request` for a name that has a certificate, where that is not allowed */
export async function checkDuplicate(
  register: CertificateRegister,
  { allowDuplicateCerts }: Pick<CaSettings, 'allowDuplicateCerts'>,
  subject: string,
): Promise<void> {
  if (allowDuplicateCerts) return;
  const state = await register.findState(subject);
  if (state === undefined) return;
  refuse('bad-request', `${subject} already has a ${state} certificate; ignoring certificate request`);
}
