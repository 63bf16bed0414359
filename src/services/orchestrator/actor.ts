/** Who asks for a job: a user with a token, or a certificate that may do everything here. */

import { ServiceError } from '../../lib/service-error.ts';
import { type Author, authorOf } from '../../platform/changes/index.ts';
import type { Identity, WantedPermission } from '../../platform/http/index.ts';
import type { JobOwner } from './jobs/job.ts';
import { orchestratorError } from './orchestrator-error.ts';

export interface Actor extends JobOwner {
  readonly permits: (permission: WantedPermission) => boolean;
  /** For the record of who changed what. */
  readonly author: Author;
}

/** Routes let in only users and such certificates. */
export function actorOf(identity: Identity): Actor {
  const author = authorOf(identity);
  if (identity.kind === 'user') return { ...identity, author };
  if (identity.kind === 'certificate')
    return { id: `certificate:${identity.certname}`, login: identity.certname, permits: () => true, author };
  throw new ServiceError('unauthorized', 'Route requires authentication', {
    kind: 'puppetlabs.rbac/user-unauthenticated',
  });
}

/** @throws ServiceError `not-permitted` */
export function requirePermission(
  { login, permits }: Actor,
  permission: WantedPermission,
  what: string,
): void {
  if (!permits(permission)) throw orchestratorError('not-permitted', `${login} is not permitted to ${what}`);
}
