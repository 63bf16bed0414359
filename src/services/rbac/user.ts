/** Who can log in, and who acts. */

import { type Author, serverItself } from '../../platform/changes/index.ts';
import type { WantedPermission } from '../../platform/http/index.ts';

export interface User {
  readonly id: string;
  readonly login: string;
  readonly displayName: string;
  readonly email: string;
  readonly roleIds: readonly number[];
  /** Whether an operator, or too many wrong passwords, keep the user out. */
  readonly isRevoked: boolean;
  readonly lastLogin: Date | undefined;
  /** Absent for users who are kept here alone. */
  readonly remote: RemoteUser | undefined;
}

/** What a directory says about a user, and when it was asked. */
export interface RemoteUser {
  readonly directoryId: string;
  /** The directory's own identifier of the entry, which outlives changes of the name; unknown where it has none. */
  readonly key: string | undefined;
  readonly state: 'present' | 'absent' | 'disabled';
  /** The imported groups that the user is a member of. */
  readonly groupIds: readonly string[];
  readonly checkedAt: Date;
}

/** The user that is there from the start. It has no password until an operator sets one. */
export const adminId = '42bf351c-f9ec-40af-84ad-e976fec7f4bd';

/** Whether a user may do everything, whatever roles say, and cannot be deleted, revoked or renamed. */
export function isSuperuser({ id }: Pick<User, 'id'>): boolean {
  return id === adminId || id === apiUser.id;
}

/** The caller who asks for a change: it may not give more rights than it has. */
export interface Actor {
  readonly author: Author;
  readonly id: string;
  readonly login: string;
  readonly permits: (permission: WantedPermission) => boolean;
}

/** Whom certificates that may do everything stand for, as in Puppet Enterprise. */
export const apiUser: User & Actor = {
  id: 'af94921f-bd76-4b58-b5ce-e17c029a2790',
  login: 'api_user',
  displayName: 'API User',
  email: '',
  roleIds: [1],
  isRevoked: false,
  lastLogin: undefined,
  remote: undefined,
  permits: () => true,
  author: serverItself,
};

/** The user that certificates stand for, for those who record what they do. */
export const apiUserSubject = { id: apiUser.id };
