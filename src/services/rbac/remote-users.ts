/** Users of directories: let in by the passwords that directories keep, with what directories say about them. */

import { Semaphore } from '../../lib/semaphore.ts';
import type { SerialQueue } from '../../lib/serial-queue.ts';
import { serverItself } from '../../platform/changes/index.ts';
import { LdapError } from '../../platform/ldap/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { by, userAuthor, userEvent } from './changes.ts';
import type { Directories } from './directory/directories.ts';
import type { Directory } from './directory/directory.ts';
import type { Attempt, Person } from './directory/directory-client.ts';
import { directoryUnavailable } from './directory/directory-unavailable.ts';
import type { IdentityProvider } from './identity-providers/identity-provider.ts';
import type { IdentityProviders } from './identity-providers/identity-providers.ts';
import { rbacError } from './rbac-error.ts';
import { refusedLogin, revokedUser } from './refusals.ts';
import { remoteChange } from './remote-changes.ts';
import type { RemoteLogins } from './remote-logins.ts';
import { isOtherPerson, remoteUserOf } from './remote-user-of.ts';
import type { Roles } from './roles.ts';
import type { RbacStore } from './store.ts';
import { apiUser, type User } from './user.ts';
import type { UserGroup } from './user-groups/user-group.ts';
import type { UserGroupStore } from './user-groups/user-group-store.ts';
import { isLoginName } from './wire.ts';

export interface RemoteUsersOptions {
  readonly store: RbacStore;
  readonly groups: UserGroupStore;
  readonly directories: Directories;
  /** They have users, too, whom directories say nothing about. */
  readonly providers: Pick<IdentityProviders, 'find'>;
  readonly roles: Roles;
  readonly logins: RemoteLogins;
  /** Shared with all that changes users and groups. */
  readonly queue: SerialQueue;
  readonly log: Logger;
  readonly now: () => Date;
  /** A random UUID. */
  readonly newId: () => string;
  /** After so many wrong passwords a user is revoked. */
  readonly mostFailedLogins: number;
  /** What a directory said about a user counts for so long; then it is asked again. */
  readonly refreshMs: number;
  /** While a directory does not answer, what it said last counts for so long. */
  readonly graceMs: number;
  /** How long the data from an identity provider about a user is valid. */
  readonly vouchedMs: number;
}

/** A directory that did not answer is not asked again about tokens for so long. */
const retryMs = 30_000;
/** Tokens of many users may be shown at once. */
const mostRefreshes = 8;

export class RemoteUsers {
  private readonly options: RemoteUsersOptions;
  private readonly turns = new Semaphore(mostRefreshes);
  /** By the ID of the user. */
  private readonly refreshes = new Map<string, Promise<User>>();
  /** When a directory did not answer, by its ID. */
  private readonly failures = new Map<string, number>();

  constructor(options: RemoteUsersOptions) {
    this.options = options;
  }

  /** Whether a directory decides about a login. @param user - who has it here; names of local users are theirs */
  async decideAbout(user: User | undefined, login: string): Promise<boolean> {
    if (user !== undefined) return user.remote !== undefined;
    return login !== apiUser.login && (await this.options.directories.connected()).length > 0;
  }

  /**
   * A user who knows the password, with the groups that the directory has the user in now.
   *
   * @throws ServiceError `unauthorized` for a wrong login or password and for revoked users, `unavailable` when the directory
   *   does not answer
   */
  logIn(login: string, password: string, address: string): Promise<User> {
    const { logins, queue, store } = this.options;
    return logins.inTurn(login, async () => {
      const known = await store.findUserByLogin(login);
      // A directory is not asked about further passwords then: guessing has to end somewhere.
      if (known === undefined ? logins.isBlocked(login) : known.isRevoked)
        throw this.refuse(login, 'too many wrong passwords, or revoked');
      if (known !== undefined && (await this.isOfProvider(known)))
        throw this.refuse(login, 'the user logs in by an identity provider');
      const { attempt, directory } = await this.ask(login, password, known);
      if (attempt.kind !== 'right' || directory === undefined) {
        await this.noteFailure(login, known, attempt, directory);
        throw this.refuse(login, attempt.kind === 'wrong' ? attempt.reason : 'no directory has the login');
      }
      logins.forget(login);
      return await queue.run(() => this.welcome(attempt.person, directory, address));
    });
  }

  /**
   * The user as the directory has it now, or had it a short while ago.
   *
   * @throws ServiceError `unauthorized` for users who are gone or disabled there, `unavailable` when the directory has not
   *   answered for too long
   */
  async current(user: User): Promise<User> {
    const { directories, now, refreshMs } = this.options;
    if (user.remote === undefined) return user;
    const { checkedAt, directoryId } = user.remote;
    const provider = await this.options.providers.find(directoryId);
    if (provider !== undefined) return this.vouchedFor(user, checkedAt, provider);
    const directory = await directories.findConnected(directoryId);
    if (directory === undefined)
      throw rbacError(
        'unauthorized',
        'user-revoked',
        `The directory of the user ${user.login} is not connected.`,
      );
    const isRecent = now().getTime() - checkedAt.getTime() < refreshMs;
    const found = isRecent ? user : await this.refresh(user, directory);
    if (found.remote?.state !== 'present') throw notInDirectory(found);
    return found;
  }

  /** Providers say something about a user at a login alone. @throws ServiceError `unauthorized` when that is too long ago */
  private vouchedFor(user: User, checkedAt: Date, { displayName }: IdentityProvider): User {
    const { now, vouchedMs } = this.options;
    if (now().getTime() - checkedAt.getTime() < vouchedMs) return user;
    const message = `The user ${user.login} has to log in by ${displayName} again.`;
    throw rbacError('unauthorized', 'login-too-old', message);
  }

  /** Asks the directories in turn until one knows the login; a user who is known belongs to one of them. */
  private async ask(
    login: string,
    password: string,
    known: User | undefined,
  ): Promise<{ readonly attempt: Attempt; readonly directory?: Directory }> {
    const { directories, log } = this.options;
    for (const directory of await this.directoriesOf(known)) {
      const groups = await this.groupsOf(directory);
      const attempt = await directories
        .client(directory)
        .authenticate(
          login,
          password,
          groups.map((group) => group.login),
        )
        .catch((error: unknown) => {
          throw directoryUnavailable(error, directory, log);
        });
      if (attempt.kind !== 'unknown') return { attempt, directory };
    }
    return { attempt: { kind: 'unknown' } };
  }

  private async directoriesOf(known: User | undefined): Promise<readonly Directory[]> {
    const { directories } = this.options;
    const connected = await directories.connected();
    const id = known?.remote?.directoryId;
    // Users of a directory that was deleted may be in one that was connected since.
    if (id === undefined || !(await directories.has(id))) return connected;
    return connected.filter((directory) => directory.id === id);
  }

  private async noteFailure(
    login: string,
    known: User | undefined,
    attempt: Attempt,
    directory: Directory | undefined,
  ): Promise<void> {
    const { logins, mostFailedLogins, store } = this.options;
    const key = attempt.kind === 'wrong' ? attempt.key : undefined;
    const hasKey = key !== undefined && directory !== undefined;
    const user = known ?? (hasKey ? await store.findUserByKey(directory.id, key) : undefined);
    if (user === undefined) logins.noteFailure(login);
    else await store.noteFailedLogin(user.id, mostFailedLogins);
  }

  private refuse(login: string, reason: string) {
    this.options.log.warn({ login, reason }, 'refused login');
    return refusedLogin();
  }

  /** Makes the user or brings it up to date, and notes the login. */
  private async welcome(person: Person, directory: Directory, address: string): Promise<User> {
    const { log, newId, now, roles, store } = this.options;
    const before = await this.findUser(person, directory);
    if (before?.isRevoked === true) throw revokedUser(before);
    const groups = await this.groupsOf(directory);
    const isFree = await this.freeLogin(before, person);
    const after = remoteUserOf(before, person, { directory, groups, now: now(), newId, isFree });
    const author = { author: userAuthor(after, address) };
    const changes = remoteChange(before, after, await roles.names(), { groups }).map(by(author, now()));
    if (before === undefined && after.remote?.state === 'present') {
      await store.addUser(after, undefined, changes);
      log.info(
        { login: after.login, directory: directory.settings.displayName },
        'created user of a directory',
      );
    } else if (before !== undefined) {
      if (isOtherPerson(before, person, directory)) await this.endTokens(before);
      await store.updateRemote(after, changes);
    }
    if (after.remote?.state !== 'present') throw notInDirectory(after);
    const message = `The user ${after.login} logged in`;
    const loggedIn = userEvent(after, { action: 'login', what: 'user', message });
    await store.noteLogin(after.id, now(), by(author, now())(loggedIn));
    return after;
  }

  private async isOfProvider({ remote }: User): Promise<boolean> {
    return remote !== undefined && (await this.options.providers.find(remote.directoryId)) !== undefined;
  }

  /** @throws ServiceError `unauthorized` when the login is that of a user who is not the directory's */
  private async findUser(person: Person, directory: Directory): Promise<User | undefined> {
    const { directories, store } = this.options;
    if (!isLoginName(person.login))
      throw this.refuse(person.login, 'the directory has a login that cannot be one here');
    const byKey = person.key === undefined ? undefined : await store.findUserByKey(directory.id, person.key);
    const found = byKey ?? (await store.findUserByLogin(person.login));
    const isOurs =
      found === undefined
        ? person.login !== apiUser.login
        : found.remote !== undefined &&
          !(await this.isOfProvider(found)) &&
          (found.remote.directoryId === directory.id || !(await directories.has(found.remote.directoryId)));
    if (isOurs) return found;
    const message = `There is a user ${person.login} already, who is not of the directory ${directory.settings.displayName}`;
    throw rbacError('unauthorized', 'remote-user-conflict', message);
  }

  private async freeLogin(before: User | undefined, { login }: Person): Promise<boolean> {
    const other = login === apiUser.login ? apiUser : await this.options.store.findUserByLogin(login);
    return other === undefined || other.id === before?.id;
  }

  /** Several requests of a user wait for one answer of the directory. */
  private refresh(user: User, directory: Directory): Promise<User> {
    const running = this.refreshes.get(user.id);
    if (running !== undefined) return running;
    const refresh = this.turns
      .run(() => this.refreshNow(user, directory))
      .finally(() => this.refreshes.delete(user.id));
    this.refreshes.set(user.id, refresh);
    return refresh;
  }

  private async refreshNow(user: User, directory: Directory): Promise<User> {
    const { directories, log, now } = this.options;
    const failedAt = this.failures.get(directory.id) ?? Number.NEGATIVE_INFINITY;
    if (now().getTime() - failedAt < retryMs) return this.withoutDirectory(user);
    const groups = await this.groupsOf(directory);
    let person: Person | undefined;
    try {
      const names = groups.map(({ login }) => login);
      person = await directories.client(directory).find(user.login, user.remote?.key, names);
      this.failures.delete(directory.id);
    } catch (error) {
      if (!(error instanceof LdapError)) throw error;
      directoryUnavailable(error, directory, log);
      this.failures.set(directory.id, now().getTime());
      return this.withoutDirectory(user);
    }
    return await this.options.queue.run(() => this.update(user, person, { directory, groups }));
  }

  /** @throws ServiceError `unavailable` when what the directory said is too old */
  private withoutDirectory(user: User): User {
    const { graceMs, now } = this.options;
    const { remote } = user;
    if (remote !== undefined && now().getTime() - remote.checkedAt.getTime() < graceMs) return user;
    const message = `The directory of the user ${user.login} has not answered for too long`;
    throw rbacError('unavailable', 'directory-unavailable', message, { retryAfterSeconds: retryMs / 1000 });
  }

  private async update(
    { id }: User,
    person: Person | undefined,
    { directory, groups }: { readonly directory: Directory; readonly groups: readonly UserGroup[] },
  ): Promise<User> {
    const { log, newId, now, roles, store } = this.options;
    const before = await store.findUser(id);
    if (before?.remote === undefined)
      throw rbacError('unauthorized', 'invalid-token', 'The provided token is not valid.');
    const after =
      person === undefined
        ? {
            ...before,
            remote: { ...before.remote, state: 'absent' as const, groupIds: [], checkedAt: now() },
          }
        : remoteUserOf(before, person, {
            directory,
            groups,
            now: now(),
            newId,
            isFree: await this.freeLogin(before, person),
          });
    const changes = remoteChange(before, after, await roles.names(), { groups });
    await store.updateRemote(after, changes.map(by({ author: serverItself }, now())));
    if (changes.length > 0) log.info({ login: after.login }, 'the directory has changed a user');
    return after;
  }

  /** Tokens of the person who had the login before. */
  private async endTokens(before: User): Promise<void> {
    const { now, store } = this.options;
    const message = `Revoked all tokens of the user ${before.login}, whose login another person of the directory has now`;
    const change = userEvent(before, { action: 'revoke', what: 'tokens', message });
    await store.revokeTokensOf(before.id, [by({ author: serverItself }, now())(change)]);
  }

  private async groupsOf({ id }: Directory): Promise<readonly UserGroup[]> {
    return (await this.options.groups.all()).filter(({ directoryId }) => directoryId === id);
  }
}

function notInDirectory({ login, remote }: User) {
  const text = remote?.state === 'disabled' ? 'has disabled' : 'no longer has';
  return rbacError('unauthorized', 'user-revoked', `The directory ${text} the user ${login}.`);
}
