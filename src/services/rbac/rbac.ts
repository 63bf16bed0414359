/** Users, roles and tokens of one installation. */

import { SerialQueue } from '../../lib/serial-queue.ts';
import { LdapTrust } from '../../platform/ldap/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { SamlThread } from '../../platform/saml/index.ts';
import type { Database } from '../../platform/storage/index.ts';
import { Directories } from './directory/directories.ts';
import type { SecretSeal } from './directory/directory.ts';
import { DirectoryStore } from './directory/directory-store.ts';
import { IdentityProviders } from './identity-providers/identity-providers.ts';
import { ProviderLogins } from './identity-providers/provider-logins.ts';
import { ProviderStore } from './identity-providers/provider-store.ts';
import { ProviderUsers } from './identity-providers/provider-users.ts';
import { SamlKeys } from './identity-providers/saml-keys.ts';
import { LocalLogins } from './local-logins.ts';
import { NewPasswords } from './new-passwords.ts';
import { type Cost, Passwords } from './password.ts';
import { type PasswordRules, usualPasswordRules } from './password-policy.ts';
import { RemoteLogins } from './remote-logins.ts';
import { RemoteUsers } from './remote-users.ts';
import { Roles } from './roles.ts';
import { SecondFactorStore } from './second-factor/second-factor-store.ts';
import { SecondFactors } from './second-factor/second-factors.ts';
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
  /** What programs that make one-time codes call this installation. */
  readonly issuer?: string;
  /** Where browsers find the console; `https://localhost` when absent. */
  readonly consoleUrl?: string;
  readonly directories: DirectoryOptions;
}

export interface DirectoryOptions {
  readonly database: Database;
  /** Encrypts the passwords of lookup users, and the secrets of clients of identity providers. */
  readonly seal: SecretSeal;
  /** Certificates that directories and identity providers are checked with, in PEM; those of the system when absent. */
  readonly trustFile: string | undefined;
  /** What a directory said about a user counts for so long. */
  readonly refreshSeconds: number;
  /** The same while the directory does not answer. */
  readonly graceSeconds: number;
  /** How long the data from an identity provider about a user is valid; 30 days when absent. */
  readonly vouchedSeconds?: number;
  /** The file of the thread that reads answers of SAML providers. */
  readonly samlWorkerUrl: URL;
}

export interface Rbac {
  readonly store: RbacStore;
  readonly now: () => Date;
  readonly roles: Roles;
  readonly users: Users;
  readonly newPasswords: NewPasswords;
  readonly secondFactors: SecondFactors;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly groups: UserGroups;
  readonly directories: Directories;
  readonly providers: IdentityProviders;
  readonly providerLogins: ProviderLogins;
}

/** What all parts are made with. */
interface Shared {
  readonly roles: Roles;
  readonly queue: SerialQueue;
  readonly log: Logger;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** Reads nothing yet. */
export function createRbac(options: RbacOptions): Rbac {
  const { log, mostFailedLogins, newId, now, store } = options;
  const passwords = new Passwords(options.passwordCost);
  const rules = options.passwordRules ?? usualPasswordRules;
  const newPasswords = new NewPasswords({ store, passwords, rules });
  const queue = new SerialQueue();
  const groupStore = new UserGroupStore(options.directories.database);
  const roles = new Roles({ store, groups: groupStore, queue, now });
  const shared = { roles, queue, log, now, newId };
  const { directories, groups, providers, remoteUsers } = createDirectories(options, groupStore, shared);
  const secondFactors = new SecondFactors({
    store: new SecondFactorStore(options.directories.database),
    seal: options.directories.seal,
    now,
    issuer: options.issuer ?? 'Bunraku',
  });
  const localLogins = new LocalLogins({ store, passwords, secondFactors, log, now, mostFailedLogins });
  const lifetimes = {
    lifetimeSeconds: options.tokenLifetimeSeconds,
    mostLifetimeSeconds: options.mostTokenLifetimeSeconds,
  };
  const tokens = new Tokens({ ...shared, ...lifetimes, store, localLogins, remoteUsers });
  const resetLifetimeMs = (options.passwordResetSeconds ?? 24 * 3600) * 1000;
  const sessions = new Sessions({
    store,
    tokens,
    roles,
    now,
    idleSeconds: options.sessionIdleSeconds ?? 3600,
    lifetimeSeconds: Math.min(options.sessionLifetimeSeconds ?? 12 * 3600, options.mostTokenLifetimeSeconds),
  });
  return {
    store,
    now,
    roles,
    directories,
    groups,
    providers,
    providerLogins: new ProviderLogins({
      ...shared,
      store,
      answers: new ProviderStore(options.directories.database),
      providers,
      users: new ProviderUsers({ ...shared, store, groups: groupStore }),
      sessions,
      seal: options.directories.seal,
    }),
    users: new Users({ ...shared, store, passwords, newPasswords, mostFailedLogins, resetLifetimeMs }),
    newPasswords,
    secondFactors,
    tokens,
    sessions,
  };
}

function createDirectories(
  { consoleUrl = 'https://localhost', directories: options, mostFailedLogins, store }: RbacOptions,
  groupStore: UserGroupStore,
  shared: Shared,
) {
  const { database, graceSeconds, refreshSeconds, samlWorkerUrl, seal, trustFile } = options;
  const trust = new LdapTrust(trustFile);
  const directories = new Directories({ ...shared, store: new DirectoryStore(database), seal, trust });
  const providerStore = new ProviderStore(database);
  const samlKeys = new SamlKeys({ ...shared, store: providerStore, seal });
  const samlThread = new SamlThread(samlWorkerUrl);
  const known = { store: providerStore, seal, trust, samlKeys, samlThread, consoleUrl };
  const providers = new IdentityProviders({ ...shared, ...known });
  const remoteUsers = new RemoteUsers({
    ...shared,
    store,
    groups: groupStore,
    directories,
    providers,
    logins: new RemoteLogins(mostFailedLogins, shared.now),
    mostFailedLogins,
    refreshMs: refreshSeconds * 1000,
    graceMs: graceSeconds * 1000,
    vouchedMs: (options.vouchedSeconds ?? 30 * 24 * 3600) * 1000,
  });
  const groups = new UserGroups({ ...shared, store: groupStore, directories, providers });
  return { directories, groups, providers, remoteUsers };
}
