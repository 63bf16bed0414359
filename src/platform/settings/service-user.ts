/** The user as which a server runs that root starts by hand. */

import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { Owner } from '../../lib/make-directory.ts';

/**
 * Goes on as the owner of the server's directory where root starts a server that has a user of its own, as real Puppet
 * changes to its setting `user`: files of root's would keep the service from starting later.
 *
 * @param directory - `statedir`; need not be there
 * @returns as whom it goes on; `undefined` when nothing has changed
 */
export function becomeOwnerOf(directory: string): Owner | undefined {
  if (process.geteuid?.() !== 0) return undefined;
  const found = statSync(directory, { throwIfNoEntry: false });
  if (found === undefined || found.uid === 0) return undefined;
  const { gid, uid } = found;
  process.setgroups?.([gid]);
  process.setgid?.(gid);
  process.setuid?.(uid);
  // git and Ruby look for their settings there, and could not read root's.
  process.env.HOME = homeOfThisUser() ?? directory;
  return { uid, gid };
}

/** `undefined` for users without a name. */
function homeOfThisUser(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}
