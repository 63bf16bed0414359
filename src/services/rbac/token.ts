/** What is known of a token: everything but the token itself. */

import type { User } from './user.ts';

export interface Token {
  readonly id: string;
  readonly userId: string;
  /** The user's own name for it. */
  readonly label: string | undefined;
  readonly description: string | undefined;
  readonly client: string | undefined;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastActiveAt: Date;
  readonly isRevoked: boolean;
}

export interface OwnedToken {
  readonly token: Token;
  readonly user: User;
}

/** What is asked of a new one. */
export interface TokenOrder {
  readonly lifetimeSeconds?: number;
  readonly label?: string;
  readonly description?: string;
  readonly client?: string;
  /** The session at an identity provider that it ends with. */
  readonly providerSession?: string | undefined;
}
