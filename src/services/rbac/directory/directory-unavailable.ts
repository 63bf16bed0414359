/** What clients are told when a directory does not answer. */

import { LdapError } from '../../../platform/ldap/index.ts';
import type { Logger } from '../../../platform/log/index.ts';
import { rbacError } from '../rbac-error.ts';
import type { Directory } from './directory.ts';

/** Anybody may try to log in, so the reason goes to the log alone. @returns other errors as they are */
export function directoryUnavailable(error: unknown, { settings }: Directory, log: Logger): unknown {
  if (!(error instanceof LdapError)) return error;
  const { failure, message } = error;
  log.error({ directory: settings.displayName, failure, reason: message }, 'directory does not answer');
  return rbacError(
    'unavailable',
    'directory-unavailable',
    `The directory ${settings.displayName} cannot be asked now; the log of the primary says why. Local users can log in.`,
  );
}
