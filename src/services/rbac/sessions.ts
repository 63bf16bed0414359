/** Sessions of people who log in with a browser: tokens that also end when they aren't used for a while. */

import type { UserIdentity } from '../../platform/http/index.ts';
import type { Credentials } from './local-logins.ts';
import type { Permission } from './permission.ts';
import { revokeOne } from './revocation.ts';
import type { Roles } from './roles.ts';
import { type RbacStore, sessionClient } from './store.ts';
import type { Token } from './token.ts';
import type { Tokens } from './tokens.ts';
import { isSuperuser, type User } from './user.ts';

export interface SessionsOptions {
  readonly store: RbacStore;
  readonly tokens: Tokens;
  readonly roles: Roles;
  readonly now: () => Date;
  /** A session ends after so long without use. */
  readonly idleSeconds: number;
  /** How long a session lasts, however much it is used. */
  readonly lifetimeSeconds: number;
}

export interface SessionUser {
  readonly id: string;
  readonly login: string;
  readonly displayName: string;
  readonly isSuperuser: boolean;
  /** What all roles of the user allow. */
  readonly permissions: readonly Permission[];
}

export class Sessions {
  private readonly options: SessionsOptions;

  constructor(options: SessionsOptions) {
    this.options = options;
  }

  /**
   * Begins a session.
   *
   * @returns the token of the session for the browser
   * @throws ServiceError `unauthorized` for a wrong login, password or one-time code, and for revoked users
   */
  login(credentials: Credentials, address: string): Promise<string> {
    const { lifetimeSeconds, tokens } = this.options;
    return tokens.login(credentials, { lifetimeSeconds, client: sessionClient }, address);
  }

  /**
   * Begins a session of a user whom an identity provider vouches for.
   *
   * @param providerSession - the session there, which this one ends with
   * @returns the token of the session for the browser
   */
  open(user: User, address: string, providerSession: string | undefined): Promise<string> {
    const { lifetimeSeconds, tokens } = this.options;
    return tokens.open(user, { lifetimeSeconds, client: sessionClient, providerSession }, address);
  }

  /** @returns `undefined` for a session that has ended, and for other texts */
  async identify(text: string, address: string): Promise<UserIdentity | undefined> {
    // Asked with each request of a page: the token is looked for once.
    const found = await this.findWithUser(text);
    return found && (await this.options.tokens.identityOf(found.user, address));
  }

  /** When somebody logged in for it. */
  async beginOf(text: string): Promise<Date | undefined> {
    return (await this.find(text))?.createdAt;
  }

  /** When the session ends without further use. */
  async endOf(text: string): Promise<Date | undefined> {
    const token = await this.find(text);
    return token && this.endWithoutUse(token);
  }

  /** Notes that somebody is there. Requests that a page sends by itself don't count. */
  async touch(text: string): Promise<void> {
    const token = await this.find(text);
    if (token !== undefined) await this.options.store.noteActivity(token.id, this.options.now());
  }

  async end(text: string, identity: UserIdentity): Promise<void> {
    const { now, store } = this.options;
    const { id, login } = identity;
    if ((await this.find(text)) === undefined) return;
    await revokeOne(store, text, { author: { kind: 'user', id, name: login } }, now());
  }

  /** @throws ServiceError `not-found` */
  async describe(userId: string): Promise<SessionUser | undefined> {
    const { roles, store } = this.options;
    const user = await store.findUser(userId);
    return user && describe(user, await roles.permissionsOfUser(user));
  }

  private async find(text: string): Promise<Token | undefined> {
    return (await this.findWithUser(text))?.token;
  }

  private async findWithUser(
    text: string,
  ): Promise<{ readonly token: Token; readonly user: User } | undefined> {
    const { now, tokens } = this.options;
    const found = await tokens.findValid(text);
    if (found?.token.client !== sessionClient) return undefined;
    return this.endWithoutUse(found.token) > now() ? found : undefined;
  }

  private endWithoutUse({ expiresAt, lastActiveAt }: Token): Date {
    const idleEnd = lastActiveAt.getTime() + this.options.idleSeconds * 1000;
    return new Date(Math.min(expiresAt.getTime(), idleEnd));
  }
}

function describe(user: User, permissions: readonly Permission[]): SessionUser {
  const { displayName, id, login } = user;
  return { id, login, displayName, isSuperuser: isSuperuser(user), permissions };
}
