/** Who can log in, and who acts. */

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
}

/** Whoever asks for a change: it may not give more than it has. */
export interface Actor {
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
  permits: () => true,
};
