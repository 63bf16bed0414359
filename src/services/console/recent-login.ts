/** What needs a login of the last minutes: a session that somebody finds open must not be enough to make oneself at home. */

import { ServiceError } from '../../lib/service-error.ts';
import type { UserIdentity, WantedPermission } from '../../platform/http/index.ts';

const recentMs = 15 * 60_000;

export interface SessionAge {
  /** When the session began. */
  readonly begunAt: Date | undefined;
  readonly nowMs: number;
}

export function isRecent({ begunAt, nowMs }: SessionAge): boolean {
  return begunAt !== undefined && nowMs - begunAt.getTime() <= recentMs;
}

/** One's own password and one-time codes ask for the current password themselves; a test of a password changes nothing. */
const ownAccount = /^\/rbac-api\/v1\/(?:users\/current\/|auth\/|command\/(?:validate-|config\/))/;

/**
 * Refuses changes of users, roles, groups, tokens and directories with a login that is too old.
 *
 * @throws ServiceError `forbidden`, which the pages know by its kind
 */
export function requireRecentLogin(method: string, path: string, age: SessionAge): void {
  if (method === 'GET' || method === 'HEAD' || isRecent(age)) return;
  if (path.startsWith('/rbac-api/') && !ownAccount.test(path)) throw tooOld();
}

/** The user, who may sign certificates with further rights only after a recent login. */
export function guarded(user: UserIdentity, age: SessionAge): UserIdentity {
  if (isRecent(age)) return user;
  const permits = (wanted: WantedPermission) => {
    const isPermitted = user.permits(wanted);
    if (isPermitted && wanted.objectType === 'certificates' && wanted.action === 'sign_special')
      throw tooOld();
    return isPermitted;
  };
  return { ...user, permits };
}

function tooOld(): ServiceError {
  return new ServiceError('forbidden', 'This needs a login of the last 15 minutes: log in again', {
    kind: 'bunraku.console/login-too-old',
  });
}
