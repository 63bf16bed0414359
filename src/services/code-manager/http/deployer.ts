/** Users may be allowed to deploy some environments only; certificates that are let in may deploy all. */

import { ServiceError } from '../../../lib/service-error.ts';
import type { Identity } from '../../../platform/http/index.ts';

/** @throws ServiceError `forbidden` */
export function requireDeployer(identity: Identity, environment: string): void {
  const permission = { objectType: 'environment', action: 'deploy_code', instance: environment };
  if (identity.kind !== 'user' || identity.permits(permission)) return;
  throw new ServiceError('forbidden', `${identity.login} may not deploy the environment ${environment}`, {
    kind: 'puppetlabs.rbac/permission-denied',
    details: { environment },
  });
}
