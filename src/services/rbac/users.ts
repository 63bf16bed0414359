/** Users: made, changed and revoked by other users, by holders of a certificate for it, and by themselves. */

import type { SerialQueue } from '../../lib/serial-queue.ts';
import type { ChangeDetails } from '../../platform/changes/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { by, userAuthor, userChange, userEvent } from './changes.ts';
import type { NewPasswords } from './new-passwords.ts';
import type { Passwords } from './password.ts';
import { anyInstance } from './permission.ts';
import { demand, rbacError } from './rbac-error.ts';
import { refuseChanged } from './refuse-changed.ts';
import { demandMembership, type Roles } from './roles.ts';
import type { RbacStore } from './store.ts';
import { createTokenText, tokenDigest } from './token-text.ts';
import { type Actor, apiUser, isSuperuser, type User } from './user.ts';

export interface UsersOptions {
  readonly store: RbacStore;
  readonly roles: Roles;
  readonly passwords: Passwords;
  readonly newPasswords: NewPasswords;
  readonly queue: SerialQueue;
  readonly log: Logger;
  readonly now: () => Date;
  /** A random UUID. */
  readonly newId: () => string;
  /** After so many wrong passwords a user is revoked. */
  readonly mostFailedLogins: number;
  /** How long a user may take to set a password after an operator has allowed it. */
  readonly resetLifetimeMs: number;
}

export interface UserDefinition {
  readonly login: string;
  readonly displayName: string;
  readonly email: string;
  readonly roleIds: readonly number[];
}

export interface UserChange extends UserDefinition {
  readonly isRevoked: boolean;
}

export class Users {
  private readonly options: UsersOptions;

  constructor(options: UsersOptions) {
    this.options = options;
  }

  all(): Promise<readonly User[]> {
    return this.options.store.users();
  }

  /** @throws ServiceError `not-found` */
  async get(id: string): Promise<User> {
    const user = id === apiUser.id ? apiUser : await this.options.store.findUser(id);
    if (user === undefined) throw rbacError('not-found', 'not-found', `There is no user with the ID ${id}`);
    return user;
  }

  create(definition: UserDefinition, password: string | undefined, actor: Actor): Promise<User> {
    return this.options.queue.run(async () => {
      const { log, newId, newPasswords, now, roles, store } = this.options;
      demand(actor, { objectType: 'users', action: 'create', instance: anyInstance });
      demandMembership(actor, definition.roleIds);
      await roles.checkIds(definition.roleIds);
      await this.refuseTaken(definition.login, undefined);
      const hash = password === undefined ? undefined : await newPasswords.first(definition.login, password);
      const user = {
        ...definition,
        id: newId(),
        isRevoked: false,
        lastLogin: undefined,
        remote: undefined,
      };
      const change = userChange(undefined, user, await roles.names());
      await store.addUser(user, hash, change.map(by(actor, now())));
      log.info({ login: user.login, by: actor.login }, 'created user');
      return user;
    });
  }

  /** Each part of a user has its own permission; what stays as it is needs none. */
  change(id: string, change: UserChange, actor: Actor): Promise<User> {
    return this.changePart(id, () => change, actor);
  }

  /** As `change`, of one part alone: of the user as the command before left them, not as they were when it was sent. */
  changePart(id: string, part: (user: User) => Partial<UserChange>, actor: Actor): Promise<User> {
    return this.options.queue.run(async () => {
      const { log, now, roles, store } = this.options;
      const before = await this.ownUser(id);
      const wanted = { ...before, ...part(before) };
      const { isRevoked, roleIds } = wanted;
      // A directory alone says who its users are.
      const { displayName, email, login } = before.remote === undefined ? wanted : before;
      const user = { ...before, displayName, email, isRevoked, login, roleIds };
      if (isSuperuser(before) && !keepsStanding(before, user)) throw immutable(before);
      if (login !== before.login || displayName !== before.displayName || email !== before.email)
        demand(actor, { objectType: 'users', action: 'edit', instance: id });
      if (isRevoked !== before.isRevoked)
        demand(actor, { objectType: 'users', action: 'disable', instance: id });
      demandMembership(actor, [
        ...roleIds.filter((each) => !before.roleIds.includes(each)),
        ...before.roleIds.filter((each) => !roleIds.includes(each)),
      ]);
      await roles.checkIds(roleIds);
      await this.refuseTaken(login, id);
      const change = userChange(before, user, await roles.names());
      await store.changeUsers([user], change.map(by(actor, now())));
      if (isRevoked && !before.isRevoked) await store.revokeTokensOf(id, []);
      log.info({ login, by: actor.login }, 'changed user');
      return user;
    });
  }

  /**
   * @param shown - the user as the actor has seen them; deleted in any state when absent
   * @throws ServiceError `conflict` when they have been changed since
   */
  remove(id: string, actor: Actor, shown?: UserChange): Promise<void> {
    return this.options.queue.run(async () => {
      const { log, now, roles, store } = this.options;
      const user = await this.ownUser(id);
      const { login } = user;
      if (shown !== undefined) refuseChanged(`The user ${login}`, partsOf(user), partsOf(shown));
      demand(actor, { objectType: 'users', action: 'edit', instance: id });
      if (isSuperuser(user)) throw immutable(user);
      const change = userChange(user, undefined, await roles.names());
      await store.removeUser(id, change.map(by(actor, now())));
      log.info({ login, by: actor.login }, 'deleted user');
    });
  }

  /** @returns what the user can set a new password with, once, for a while */
  async allowReset(id: string, actor: Actor): Promise<string> {
    const { log, now, resetLifetimeMs, store } = this.options;
    const user = await this.ownUser(id);
    const { login } = user;
    demand(actor, { objectType: 'users', action: 'reset_password', instance: id });
    if (user.remote !== undefined) throw keptElsewhere(user);
    // The password of a superuser would give more than any role can.
    if (isSuperuser(user) && !isSuperuser(actor)) throw immutable(user);
    const text = createTokenText();
    const expiresAt = new Date(now().getTime() + resetLifetimeMs);
    const message = `Allowed the user ${login} to set a new password`;
    const change = by(actor, now())(userEvent(user, { action: 'edit', what: 'password', message }));
    await store.setReset(id, { digest: tokenDigest(text), expiresAt }, change);
    log.info({ login, by: actor.login }, 'allowed a new password');
    return text;
  }

  /** A new password, which also lets a user in again who was revoked. @throws ServiceError `forbidden` */
  reset(resetToken: string, password: string, address: string): Promise<void> {
    return this.options.queue.run(async () => {
      const { log, newPasswords, now, store } = this.options;
      const user = await store.findUserByReset(tokenDigest(resetToken), now());
      if (user === undefined)
        throw rbacError('forbidden', 'permission-denied', 'The token is not valid, or has been used already');
      const change = by({ author: userAuthor(user, address) }, now())(newPassword(user));
      await newPasswords.replace(user, password, change);
      log.info({ login: user.login }, 'set new password');
    });
  }

  /** A user's own. @throws ServiceError `forbidden` when the current one is wrong */
  async changePassword(actor: Actor, current: string, password: string): Promise<void> {
    const { log, newPasswords, now } = this.options;
    const user = await this.prove(actor, current);
    await newPasswords.replace(user, password, by(actor, now())(newPassword(user)));
    log.info({ login: user.login }, 'set new password');
  }

  /**
   * The caller, who knows the own password. The thief of a token must not go on to find it, nor by many attempts at once.
   *
   * @param judge - whether all else is right, too; a failure counts as a wrong password
   * @throws ServiceError `forbidden`
   */
  async prove(
    actor: Actor,
    current: string,
    judge: (user: User) => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<User> {
    const { mostFailedLogins, passwords, store } = this.options;
    const before = await store.findUserByLogin(actor.login);
    if (before?.remote !== undefined) throw keptElsewhere(before);
    return await passwords.attempt(current, before?.password, async (isRight) => {
      const found = before && (await store.findUser(before.id));
      const isProven = isRight && found !== undefined && !found.isRevoked && (await judge(found));
      if (isProven) return found;
      if (before !== undefined) await store.noteFailedLogin(before.id, mostFailedLogins);
      throw rbacError('forbidden', 'permission-denied', 'The current password is not right');
    });
  }

  /** Not the one that certificates stand for: it is nowhere kept. */
  private async ownUser(id: string): Promise<User> {
    const user = await this.get(id);
    if (user === apiUser) throw immutable(user);
    return user;
  }

  private async refuseTaken(login: string, id: string | undefined): Promise<void> {
    const other = login === apiUser.login ? apiUser : await this.options.store.findUserByLogin(login);
    if (other !== undefined && other.id !== id)
      throw rbacError('conflict', 'conflict', `There is a user with the login ${login} already`);
  }
}

function newPassword(user: User): ChangeDetails {
  const message = `Set a new password for the user ${user.login}`;
  return userEvent(user, { action: 'edit', what: 'password', message });
}

/** By the words that people know them by. The order of roles does not matter. */
function partsOf({ displayName, email, isRevoked, login, roleIds }: UserChange) {
  return {
    login,
    'display name': displayName,
    'email address': email,
    roles: roleIds.toSorted((a, b) => a - b),
    revocation: isRevoked,
  };
}

/** Whether a change leaves a user's login, roles and right to log in as they are. */
function keepsStanding(before: User, after: User): boolean {
  const roles = ({ roleIds }: User) => JSON.stringify(roleIds.toSorted((a, b) => a - b));
  return before.login === after.login && !after.isRevoked && roles(before) === roles(after);
}

function keptElsewhere({ login }: User) {
  const message = `The user ${login} has no password here: a directory or an identity provider decides about the login`;
  return rbacError('forbidden', 'permission-denied', message);
}

function immutable({ login }: User) {
  return rbacError('forbidden', 'admin-user-immutable', `The user ${login} cannot be changed`);
}
