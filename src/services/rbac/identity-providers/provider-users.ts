/** Users whom identity providers vouch for. */

import type { Logger } from '../../../platform/log/index.ts';
import { by, userAuthor, userEvent } from '../changes.ts';
import { isSameName } from '../directory/names.ts';
import { rbacError } from '../rbac-error.ts';
import { revokedUser } from '../refusals.ts';
import { remoteChange } from '../remote-changes.ts';
import type { Roles } from '../roles.ts';
import type { RbacStore } from '../store.ts';
import { apiUser, type User } from '../user.ts';
import type { UserGroupStore } from '../user-groups/user-group-store.ts';
import type { IdentityProvider, VouchedPerson } from './identity-provider.ts';

export interface ProviderUsersOptions {
  readonly store: RbacStore;
  readonly groups: UserGroupStore;
  readonly roles: Roles;
  readonly log: Logger;
  readonly now: () => Date;
  /** A random UUID. */
  readonly newId: () => string;
}

export class ProviderUsers {
  private readonly options: ProviderUsersOptions;

  constructor(options: ProviderUsersOptions) {
    this.options = options;
  }

  /**
   * Makes the user or brings it up to date, and notes the login. Users are known by issuer and subject alone: a login that
   * another user has is refused, even when the provider says that it is this person's.
   *
   * @throws ServiceError `unauthorized` for revoked users and for logins of others
   */
  async welcome(person: VouchedPerson, provider: IdentityProvider, address: string): Promise<User> {
    const { log, now, roles, store } = this.options;
    const before = await store.findUserByKey(provider.id, person.key);
    if (before?.isRevoked === true) throw revokedUser(before);
    const groups = (await this.options.groups.all()).filter(({ directoryId }) => directoryId === provider.id);
    const after: User = {
      id: before?.id ?? this.options.newId(),
      login: await this.loginOf(person, before, provider),
      displayName: person.displayName,
      email: person.email,
      roleIds: before?.roleIds ?? [],
      isRevoked: false,
      lastLogin: before?.lastLogin,
      remote: {
        directoryId: provider.id,
        key: person.key,
        state: 'present',
        groupIds: groups.filter(({ login }) => person.groups.includes(login)).map(({ id }) => id),
        checkedAt: now(),
      },
    };
    const author = { author: userAuthor(after, address) };
    const details = remoteChange(before, after, await roles.names(), {
      groups,
      source: provider.displayName,
    });
    const changes = details.map(by(author, now()));
    if (before === undefined) {
      await store.addUser(after, undefined, changes);
      log.info(
        { login: after.login, provider: provider.displayName },
        'created user of an identity provider',
      );
    } else await store.updateRemote(after, changes);
    const message = `The user ${after.login} logged in by ${provider.displayName}`;
    const loggedIn = userEvent(after, { action: 'login', what: 'user', message });
    await store.noteLogin(after.id, now(), by(author, now())(loggedIn));
    log.info({ login: after.login, provider: provider.displayName }, 'logged in');
    return after;
  }

  /** A user whose login has changed keeps the earlier one here while another user has the new one. */
  private async loginOf(
    { login }: VouchedPerson,
    before: User | undefined,
    provider: IdentityProvider,
  ): Promise<string> {
    const others = [apiUser, ...(await this.options.store.users())].filter(({ id }) => id !== before?.id);
    if (!others.some((other) => isSameName(other.login, login))) return login;
    if (before !== undefined) return before.login;
    this.options.log.warn({ login, provider: provider.displayName }, 'refused login: another user has it');
    const message = `There is a user ${login} already, who is not this person of ${provider.displayName}`;
    throw rbacError('unauthorized', 'remote-user-conflict', message);
  }
}
