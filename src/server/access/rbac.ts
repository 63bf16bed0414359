/** Users and tokens of the installation, which the primary's ports other than that of agents know. */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createRbac, type Rbac, RbacStore } from '../../services/rbac/index.ts';
import type { Foundation } from '../foundation.ts';
import { openSeal } from '../text-seal.ts';
import { workerFile } from '../worker-files.ts';
import { consoleUrl } from './console-url.ts';

export async function openRbac({ database, log, settings }: Foundation): Promise<Rbac> {
  return createRbac({
    store: new RbacStore(database),
    log: log.child({ service: 'rbac' }),
    now: () => new Date(),
    newId: randomUUID,
    tokenLifetimeSeconds: settings.rbacTokenLifetimeSeconds,
    mostTokenLifetimeSeconds: settings.rbacTokenMaximumLifetimeSeconds,
    mostFailedLogins: settings.rbacFailedAttemptsLockout,
    sessionIdleSeconds: settings.consoleSessionTimeoutSeconds,
    sessionLifetimeSeconds: settings.consoleSessionLifetimeSeconds,
    passwordRules: {
      minimumLength: settings.rbacPasswordMinimumLength,
      letters: settings.rbacPasswordLetters,
      lowercaseLetters: settings.rbacPasswordLowercaseLetters,
      uppercaseLetters: settings.rbacPasswordUppercaseLetters,
      numbers: settings.rbacPasswordNumbers,
      specialCharacters: settings.rbacPasswordSpecialCharacters,
      allowsLogin: settings.rbacPasswordMayContainLogin,
      previous: settings.rbacPasswordPrevious,
    },
    passwordResetSeconds: settings.rbacPasswordResetSeconds,
    issuer: `Bunraku ${settings.certname}`,
    consoleUrl: consoleUrl(settings),
    directories: {
      database,
      seal: await openSeal(join(settings.stateDir, 'rbac.key')),
      trustFile: settings.rbacDirectoryTrustChain === '' ? undefined : settings.rbacDirectoryTrustChain,
      refreshSeconds: settings.rbacDirectoryRefreshSeconds,
      graceSeconds: settings.rbacDirectoryGraceSeconds,
      vouchedSeconds: settings.rbacSsoValiditySeconds,
      samlWorkerUrl: workerFile('saml-worker'),
    },
  });
}
