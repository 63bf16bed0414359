/** Failures as clients of Puppet Enterprise's RBAC service know them. */

import { ServiceError, type ServiceErrorReason } from '../../lib/service-error.ts';
import type { WantedPermission } from '../../platform/http/index.ts';
import type { Actor } from './user.ts';

export function rbacError(
  reason: ServiceErrorReason,
  kind: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): ServiceError {
  return new ServiceError(reason, message, { kind: `puppetlabs.rbac/${kind}`, details });
}

/** @throws ServiceError `forbidden` */
export function demand(actor: Actor, permission: Required<WantedPermission>): void {
  if (actor.permits(permission)) return;
  const { action, instance, objectType } = permission;
  const wanted = `${objectType}:${action}:${instance}`;
  throw rbacError('forbidden', 'permission-denied', `${actor.login} does not have the permission ${wanted}`, {
    permission: { object_type: objectType, action, instance },
  });
}
