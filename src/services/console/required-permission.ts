/** Permissions that only some requests of a route need. */

import { ServiceError } from '../../lib/service-error.ts';
import type { Identity, WantedPermission } from '../../platform/http/index.ts';

/** @throws ServiceError `forbidden` naming the permission that is missing */
export function requirePermission(identity: Identity, wanted: WantedPermission): void {
  if (identity.kind === 'user' && identity.permits(wanted)) return;
  const { action, objectType } = wanted;
  throw new ServiceError('forbidden', `The permission ${objectType}:${action} is missing`, {
    kind: 'puppetlabs.rbac/permission-denied',
  });
}
