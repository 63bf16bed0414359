/** Users, roles and tokens of one installation. */

import { SerialQueue } from '../../lib/serial-queue.ts';
import { LdapTrust } from '../../platform/ldap/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { Database } from '../../platform/storage/index.ts';
import { Directories } from './directory/directories.ts';
import type { SecretSeal } from './directory/directory.ts';
import { DirectoryStore } from './directory/directory-store.ts';
import { NewPasswords } from './new-passwords.ts';
import { type Cost, Passwords } from './password.ts';
import { type PasswordRules, usualPasswordRules } from './password-policy.ts';
import { RemoteLogins } from './remote-logins.ts';
import { RemoteUsers } from './remote-users.ts';
import { Roles } from './roles.ts';
import { Sessions } from './sessions.ts';
import type { RbacStore } from './store.ts';
import { Tokens } from './tokens.ts';
import { UserGroupStore } from './user-groups/user-group-store.ts';
import { UserGroups } from './user-groups/user-groups.ts';
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
  /** What passwords must be like; eight characters when absent. */
  readonly passwordRules?: PasswordRules;
  /** How long a user may take to set a password after an operator has allowed it; a day when absent. */
  readonly passwordResetSeconds?: number;
  readonly directories: DirectoryOptions;
}

export interface DirectoryOptions {
  readonly database: Database;
  /** Encrypts the passwords of lookup users. */
  readonly seal: SecretSeal;
  /** Certificates that directories are checked with, in PEM; those of the system when absent. */
  readonly trustFile: string | undefined;
  /** What a directory said about a user counts for so long. */
  readonly refreshSeconds: number;
  /** The same while the directory does not answer. */
  readonly graceSeconds: number;
}

export interface Rbac {
  readonly store: RbacStore;
  readonly now: () => Date;
  readonly roles: Roles;
  readonly users: Users;
  readonly newPasswords: NewPasswords;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly groups: UserGroups;
  readonly directories: Directories;
}

/** Reads nothing yet. */
export function createRbac(options: RbacOptions): Rbac {
  const { log, mostFailedLogins, mostTokenLifetimeSeconds, newId, now, store } = options;
  const { database, graceSeconds, refreshSeconds, seal, trustFile } = options.directories;
  const passwords = new Passwords(options.passwordCost);
  const rules = options.passwordRules ?? usualPasswordRules;
  const newPasswords = new NewPasswords({ store, passwords, rules });
  const queue = new SerialQueue();
  const groupStore = new UserGroupStore(database);
  const roles = new Roles({ store, groups: groupStore, queue, now });
  const shared = { roles, queue, log, now, newId };
  const trust = new LdapTrust(trustFile);
  const directories = new Directories({ ...shared, store: new DirectoryStore(database), seal, trust });
  const remoteUsers = new RemoteUsers({
    ...shared,
    store,
    groups: groupStore,
    directories,
    logins: new RemoteLogins(mostFailedLogins, now),
    mostFailedLogins,
    refreshMs: refreshSeconds * 1000,
    graceMs: graceSeconds * 1000,
  });
  const tokens = new Tokens({
    ...shared,
    store,
    passwords,
    remoteUsers,
    lifetimeSeconds: options.tokenLifetimeSeconds,
    mostLifetimeSeconds: mostTokenLifetimeSeconds,
    mostFailedLogins,
  });
  return {
    store,
    now,
    roles,
    directories,
    groups: new UserGroups({ ...shared, store: groupStore, directories }),
    users: new Users({
      ...shared,
      store,
      passwords,
      newPasswords,
      mostFailedLogins,
      resetLifetimeMs: (options.passwordResetSeconds ?? 24 * 3600) * 1000,
    }),
    newPasswords,
    tokens,
    sessions: new Sessions({
      store,
      tokens,
      roles,
      now,
      idleSeconds: options.sessionIdleSeconds ?? 3600,
      lifetimeSeconds: Math.min(options.sessionLifetimeSeconds ?? 12 * 3600, mostTokenLifetimeSeconds),
    }),
  };
}
