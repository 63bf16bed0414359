/** Users and tokens of the installation, which the primary's ports other than that of agents know. */

import { randomUUID } from 'node:crypto';
import { createRbac, type Rbac, RbacStore, takeOverCodeTokens } from '../../services/rbac/index.ts';
import type { Foundation } from '../foundation.ts';

export async function openRbac({ database, log, settings }: Foundation): Promise<Rbac> {
  const options = {
    store: new RbacStore(database),
    log: log.child({ service: 'rbac' }),
    now: () => new Date(),
    newId: randomUUID,
    tokenLifetimeSeconds: settings.rbacTokenLifetimeSeconds,
    mostTokenLifetimeSeconds: settings.rbacTokenMaximumLifetimeSeconds,
    mostFailedLogins: settings.rbacFailedAttemptsLockout,
  };
  await takeOverCodeTokens(settings.codeManagerTokens, options);
  return createRbac(options);
}
