/** Tokens: made for a user who logs in or whom somebody vouches for, good until they end or are revoked. */

import { ServiceError } from '../../lib/service-error.ts';
import type { TokenAuthenticator, UserIdentity } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { by, tokenChange, userAuthor } from './changes.ts';
import type { Credentials, LocalLogins } from './local-logins.ts';
import { isGranted } from './permission.ts';
import { demand, rbacError } from './rbac-error.ts';
import { revokedUser } from './refusals.ts';
import type { RemoteUsers } from './remote-users.ts';
import type { Roles } from './roles.ts';
import type { RbacStore } from './store.ts';
import type { Token, TokenOrder } from './token.ts';
import { createTokenText, isTokenText, tokenDigest } from './token-text.ts';
import type { Actor, User } from './user.ts';

export interface TokensOptions {
  readonly store: RbacStore;
  readonly roles: Roles;
  readonly localLogins: LocalLogins;
  /** Who knows about users of directories. */
  readonly remoteUsers: RemoteUsers;
  readonly log: Logger;
  readonly now: () => Date;
  /** A random UUID. */
  readonly newId: () => string;
  /** Of tokens that name none. */
  readonly lifetimeSeconds: number;
  readonly mostLifetimeSeconds: number;
}

/** `last_active_at` is no more exact than this, so that not every request writes. */
const activityResolutionMs = 60_000;
/** For so long is known of a token that has ended that it was one. */
const rememberedMs = 30 * 24 * 60 * 60 * 1000;
const mostLabelCharacters = 200;

export class Tokens {
  private readonly options: TokensOptions;

  constructor(options: TokensOptions) {
    this.options = options;
  }

  /**
   * A token for a user who knows the password.
   *
   * @throws ServiceError `unauthorized` for a wrong login or password, and for revoked users
   */
  async login(credentials: Credentials, order: TokenOrder, address: string): Promise<string> {
    const { localLogins, log, remoteUsers, store } = this.options;
    const { login, password } = credentials;
    const before = await store.findUserByLogin(login);
    const user = (await remoteUsers.decideAbout(before, login))
      ? await remoteUsers.logIn(login, password, address)
      : await localLogins.logIn(before, credentials, address);
    log.info({ login, label: order.label }, 'logged in');
    return await this.create(user, order, { author: userAuthor(user, address) });
  }

  /** A token for a user whom an identity provider vouches for. */
  async open(user: User, order: TokenOrder, address: string): Promise<string> {
    return await this.create(user, order, { author: userAuthor(user, address) });
  }

  /** A token for another user, or of another kind than the one that is shown. */
  async vouch(user: User, order: TokenOrder, actor: Actor): Promise<string> {
    if (actor.id !== user.id)
      demand(actor, { objectType: 'users', action: 'reset_password', instance: user.id });
    if (user.isRevoked) throw revokedUser(user);
    this.options.log.info({ login: user.login, by: actor.login, label: order.label }, 'created token');
    return await this.create(user, order, actor);
  }

  /** For ports: who shows a token. @throws ServiceError `unauthorized` saying why it does not count */
  readonly authenticate: TokenAuthenticator = async (text, address) => {
    const { user } = await this.find(text, true);
    return await this.identityOf(user, address);
  };

  /** The permissions of the user of a valid token. */
  async identityOf(user: User, address: string): Promise<UserIdentity> {
    return { kind: 'user', ...(await this.actorOf(user)), address };
  }

  /** @returns `undefined` for tokens that don't count */
  async findValid(text: string): Promise<{ readonly token: Token; readonly user: User } | undefined> {
    try {
      return await this.find(text, false);
    } catch (error) {
      if (error instanceof ServiceError && error.reason === 'unauthorized') return undefined;
      throw error;
    }
  }

  /** For what a user left to be done: what he may do now. @returns `undefined` for one who is gone or revoked */
  async findActor(userId: string): Promise<Actor | undefined> {
    const { remoteUsers, store } = this.options;
    const user = await store.findUser(userId);
    if (user === undefined || user.isRevoked) return undefined;
    try {
      return await this.actorOf(await remoteUsers.current(user));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.reason === 'unauthorized') return undefined;
      // Work that waits for its turn must not hold up that of others until a directory answers again.
      throw rbacError('forbidden', 'permission-denied', error.message);
    }
  }

  private async actorOf(user: User): Promise<Actor> {
    const { id, login } = user;
    const permissions = await this.options.roles.permissionsOfUser(user);
    return {
      id,
      login,
      permits: (wanted) => isGranted(permissions, wanted),
      author: { kind: 'user', id, name: login },
    };
  }

  /** @throws ServiceError `unauthorized` for tokens that are none, have ended or were revoked, and for users who are gone */
  async find(text: string, isActivity: boolean): Promise<{ readonly token: Token; readonly user: User }> {
    const { now, remoteUsers, store } = this.options;
    const found = isTokenText(text) ? await store.findToken(tokenDigest(text)) : undefined;
    if (found === undefined)
      throw rbacError('unauthorized', 'invalid-token', 'The provided token is not valid.');
    const { token, user } = found;
    if (token.isRevoked)
      throw rbacError('unauthorized', 'token-revoked', 'Authentication token has been revoked.');
    if (token.expiresAt <= now())
      throw rbacError('unauthorized', 'token-expired', 'The provided token has expired.');
    if (user.isRevoked) throw revokedUser(user);
    if (isActivity && now().getTime() - token.lastActiveAt.getTime() > activityResolutionMs)
      await store.noteActivity(token.id, now());
    return { token, user: await remoteUsers.current(user) };
  }

  private async create(user: User, order: TokenOrder, actor: Pick<Actor, 'author'>): Promise<string> {
    const { newId, now, store } = this.options;
    const createdAt = now();
    const label = await this.freeLabel(user, order.label);
    const text = createTokenText();
    const token: Token = {
      id: newId(),
      userId: user.id,
      label,
      description: order.description,
      client: order.client,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + this.lifetimeSeconds(order) * 1000),
      lastActiveAt: createdAt,
      isRevoked: false,
    };
    const forgottenBefore = new Date(createdAt.getTime() - rememberedMs);
    const change = by(actor, createdAt)(tokenChange(token, user.login, 'create'));
    await store.addToken(token, tokenDigest(text), {
      forgottenBefore,
      change,
      providerSession: order.providerSession,
    });
    return text;
  }

  /** 0 is as long as any may last. */
  private lifetimeSeconds({ lifetimeSeconds }: TokenOrder): number {
    const { lifetimeSeconds: usual, mostLifetimeSeconds: most } = this.options;
    const seconds = lifetimeSeconds === 0 ? most : (lifetimeSeconds ?? Math.min(usual, most));
    if (seconds <= most) return seconds;
    throw rbacError('bad-request', 'invalid-lifetime', `A token lasts ${most} seconds at most`);
  }

  /** A user's tokens that still count have different labels. */
  private async freeLabel(user: User, label: string | undefined): Promise<string | undefined> {
    if (label === undefined) return undefined;
    const trimmed = label.trim();
    if (trimmed === '' || trimmed.includes(',') || trimmed.length > mostLabelCharacters)
      throw rbacError(
        'bad-request',
        'invalid-label',
        `A label has 1 to ${mostLabelCharacters} characters and no comma`,
      );
    const { now, store } = this.options;
    const others = (await store.tokensOf(user.id)).filter(
      (each) => !each.isRevoked && each.expiresAt > now(),
    );
    if (others.some((each) => each.label === trimmed))
      throw rbacError('conflict', 'conflict', `${user.login} has a token with the label ${trimmed} already`);
    return trimmed;
  }
}
