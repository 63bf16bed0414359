/** Refusals of logins and tokens, in one wording wherever they come from. */

import { rbacError } from './rbac-error.ts';
import type { User } from './user.ts';

/** Says nothing of which logins there are. */
export function refusedLogin() {
  return rbacError('unauthorized', 'user-unauthenticated', 'The login or the password is incorrect');
}

export function revokedUser({ login }: User) {
  return rbacError('unauthorized', 'user-revoked', `The user ${login} has been revoked.`);
}

/** The password was right: those who have it may know that a code is needed, too. */
export function secondFactorRequired() {
  const message = 'A one-time code is needed beside the password: as one_time_code, or behind the password';
  return rbacError('unauthorized', 'second-factor-required', message);
}
