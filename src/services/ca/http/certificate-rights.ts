/** What users with tokens may do with certificates. Certificates that the rules let in may do everything. */

import { ServiceError } from '../../../lib/service-error.ts';
import {
  type HttpRequest,
  type IdentityAccess,
  requireAccess,
  type WantedPermission,
} from '../../../platform/http/index.ts';
import type { SignOptions } from '../issuance/orders.ts';
import type { DesiredStatus } from './wire.ts';

type Sender = Pick<HttpRequest, 'identity'>;

const permissions = {
  /** Sign and reject ordinary requests. */
  decide: { objectType: 'cert_requests', action: 'accept_reject' },
  /** Sign requests that have alternative names or authorization extensions. */
  signSpecial: { objectType: 'certificates', action: 'sign_special' },
  /** Revoke, clean and delete certificates. */
  revoke: { objectType: 'certificates', action: 'revoke' },
} as const satisfies Readonly<Record<string, WantedPermission>>;

export type CertificateRight = keyof typeof permissions;

/** Users with one of these rights. */
export function usersWith(...rights: readonly CertificateRight[]): IdentityAccess {
  return {
    kind: 'any-of',
    of: rights.map((right) => ({ kind: 'permission', permission: permissions[right] })),
  };
}

/** @throws ServiceError `forbidden` when a token's user lacks the right; other clients have been let in by the route */
export function requireRight({ identity }: Sender, right: CertificateRight): void {
  if (identity.kind === 'user') requireAccess(usersWith(right), identity);
}

/**
 * How a request for a signature is to be signed. Users consent to what one request asks for, which its fingerprint names; what the
 * settings allow does not count for them.
 *
 * @throws ServiceError `forbidden`, `bad-request` for a consent without a fingerprint
 */
export function signOptions(sender: Sender, desired: DesiredStatus): SignOptions {
  if (sender.identity.kind !== 'user') return desired;
  requireRight(sender, 'decide');
  if (desired.allowSubjectAltNames || desired.allowAuthorizationExtensions) {
    requireRight(sender, 'signSpecial');
    if (desired.fingerprint === undefined)
      throw new ServiceError(
        'bad-request',
        'To allow alternative names or authorization extensions, name the fingerprint of the request',
      );
  }
  return { ...desired, ignoresSettings: true };
}

/** The same for many requests at a time: without consent to anything special. */
export function bulkSignOptions(sender: Sender): SignOptions {
  if (sender.identity.kind !== 'user') return {};
  requireRight(sender, 'decide');
  return { ignoresSettings: true };
}
