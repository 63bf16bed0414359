/** Users, roles and tokens of one installation. */

import { SerialQueue } from '../../lib/serial-queue.ts';
import type { Logger } from '../../platform/log/index.ts';
import { type Cost, Passwords } from './password.ts';
import { Roles } from './roles.ts';
import { Sessions } from './sessions.ts';
import type { RbacStore } from './store.ts';
import { Tokens } from './tokens.ts';
import { Users } from './users.ts';

export interface RbacOptions {
  readonly store: RbacStore;
  readonly log: Logger;
  readonly now: () => Date;
  /** A random UUID. */
  readonly newId: () => string;
  /** How long a token lasts that says nothing of it. */
  readonly tokenLifetimeSeconds: number;
  readonly mostTokenLifetimeSeconds: number;
  /** After so many wrong passwords a user is revoked. */
  readonly mostFailedLogins: number;
  /** How long a browser's session lasts without use; an hour when absent. */
  readonly sessionIdleSeconds?: number;
  /** How long it lasts at all; twelve hours when absent. */
  readonly sessionLifetimeSeconds?: number;
  /** What a hash of a password costs; as much as it should when absent. */
  readonly passwordCost?: Cost;
}

export interface Rbac {
  readonly store: RbacStore;
  readonly now: () => Date;
  readonly roles: Roles;
  readonly users: Users;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
}

/** Reads nothing yet. */
export function createRbac(options: RbacOptions): Rbac {
  const { log, mostFailedLogins, newId, now, store } = options;
  const passwords = new Passwords(options.passwordCost);
  const queue = new SerialQueue();
  const roles = new Roles(store, queue, now);
  const tokens = new Tokens({
    store,
    roles,
    passwords,
    log,
    now,
    newId,
    lifetimeSeconds: options.tokenLifetimeSeconds,
    mostLifetimeSeconds: options.mostTokenLifetimeSeconds,
    mostFailedLogins,
  });
  return {
    store,
    now,
    roles,
    users: new Users({ store, roles, passwords, queue, log, now, newId, mostFailedLogins }),
    tokens,
    sessions: new Sessions({
      store,
      tokens,
      roles,
      now,
      idleSeconds: options.sessionIdleSeconds ?? 3600,
      lifetimeSeconds: Math.min(
        options.sessionLifetimeSeconds ?? 12 * 3600,
        options.mostTokenLifetimeSeconds,
      ),
    }),
  };
}
